//! Names for agents that are unique in the process, whichever device they belong to.

/// A GPU agent's number in the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentId(pub usize);
