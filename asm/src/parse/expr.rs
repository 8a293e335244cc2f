//! Expressions: numbers and symbols with GNU as operators.

use super::cursor::Cursor;
use super::error::ParseError;
use super::number::{Number, number};

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    OrNot,
    LogicalAnd,
    LogicalOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnOp {
    Neg,
    Not,
    LogicalNot,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Int(i64),
    /// A symbol, with its relocation variant (`rel32@lo`), if any.
    Symbol(String, Option<String>),
    /// The current address.
    Here,
    /// `max(a, b, …)`, `or(a, b, …)` and the other functions of AMDGPU expressions.
    Call(String, Vec<Expr>),
    /// A unary operation.
    Unary(UnOp, Box<Expr>),
    /// A binary operation.
    Binary(BinOp, Box<Expr>, Box<Expr>),
}

/// What an expression is worth: an absolute number, or a place in a section (or an undefined symbol).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Section number, or `None` if absolute.
    pub section: Option<u32>,
    /// The number, or the offset in the section.
    pub number: i64,
}

impl Value {
    /// An absolute number.
    pub const fn absolute(number: i64) -> Value {
        Value { section: None, number }
    }
}

/// What symbols are worth.
pub trait Symbols {
    /// The symbol's value, if it is known by now.
    fn lookup(&self, name: &str) -> Option<Value>;

    /// The current address.
    fn here(&self) -> Option<Value> {
        None
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExprError {
    /// A symbol without value.
    #[error("symbol `{0}` is not defined")]
    Undefined(String),
    /// An operation on places that gives no number.
    #[error("expression must be absolute")]
    NotAbsolute,
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A function that does not exist.
    #[error("unknown function `{0}`")]
    UnknownFunction(String),
    /// A chain of definitions too long to follow.
    #[error("expression is nested too deeply")]
    TooDeep,
}

/// How deeply expressions may nest.
const DEPTH: usize = 200;

/// The value of an expression.
///
/// # Errors
/// [`ExprError`] where a symbol is unknown or the operation has no value.
pub fn evaluate(e: &Expr, symbols: &dyn Symbols) -> Result<Value, ExprError> {
    Ok(match e {
        Expr::Int(x) => Value::absolute(*x),
        Expr::Here => symbols.here().ok_or(ExprError::NotAbsolute)?,
        Expr::Symbol(name, _) => symbols.lookup(name).ok_or_else(|| ExprError::Undefined(name.clone()))?,
        Expr::Call(name, args) => {
            let mut values = Vec::with_capacity(args.len());
            for a in args {
                let v = evaluate(a, symbols)?;
                if v.section.is_some() {
                    return Err(ExprError::NotAbsolute);
                }
                values.push(v.number);
            }
            Value::absolute(call(name, &values)?)
        }
        Expr::Unary(op, x) => {
            let v = evaluate(x, symbols)?;
            if v.section.is_some() {
                return Err(ExprError::NotAbsolute);
            }
            Value::absolute(match op {
                UnOp::Neg => v.number.wrapping_neg(),
                UnOp::Not => !v.number,
                UnOp::LogicalNot => i64::from(v.number == 0),
            })
        }
        Expr::Binary(op, a, b) => {
            let (x, y) = (evaluate(a, symbols)?, evaluate(b, symbols)?);
            binary(*op, x, y)?
        }
    })
}

fn call(name: &str, v: &[i64]) -> Result<i64, ExprError> {
    let unknown = || ExprError::UnknownFunction(name.to_owned());
    let ceil_div =
        |a: i64, b: i64| if b == 0 { Err(ExprError::DivisionByZero) } else { Ok((a as u64).div_ceil(b as u64) as i64) };
    Ok(match (name, v) {
        ("max", [first, rest @ ..]) => rest.iter().fold(*first, |m, x| m.max(*x)),
        ("or", v) if !v.is_empty() => v.iter().fold(0, |m, x| m | x),
        ("alignto", [a, b]) => ceil_div(*a, *b)?.wrapping_mul(*b),
        ("extrasgprs", [vcc, flat, xnack]) => {
            // What VCC, FLAT_SCRATCH and XNACK add to a kernel's SGPRs on these targets.
            if *flat != 0 {
                6
            } else if *xnack != 0 {
                4
            } else if *vcc != 0 {
                2
            } else {
                0
            }
        }
        ("totalnumvgprs", [agprs, vgprs]) => {
            if *agprs != 0 {
                (((*vgprs as u64).div_ceil(4) * 4) as i64).wrapping_add(*agprs)
            } else {
                *vgprs
            }
        }
        _ => return Err(unknown()),
    })
}

fn binary(op: BinOp, x: Value, y: Value) -> Result<Value, ExprError> {
    match (op, x.section, y.section) {
        (BinOp::Add, s, None) | (BinOp::Add, None, s) => {
            return Ok(Value { section: s, number: x.number.wrapping_add(y.number) });
        }
        (BinOp::Sub, s, None) => return Ok(Value { section: s, number: x.number.wrapping_sub(y.number) }),
        (BinOp::Sub, Some(a), Some(b)) if a == b => return Ok(Value::absolute(x.number.wrapping_sub(y.number))),
        (_, None, None) => {}
        (BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, Some(a), Some(b)) if a == b => {}
        _ => return Err(ExprError::NotAbsolute),
    }
    let (a, b) = (x.number, y.number);
    let truth = |t: bool| if t { -1 } else { 0 };
    Ok(Value::absolute(match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div if b == 0 => return Err(ExprError::DivisionByZero),
        BinOp::Div => a.wrapping_div(b),
        BinOp::Mod if b == 0 => return Err(ExprError::DivisionByZero),
        BinOp::Mod => a.wrapping_rem(b),
        BinOp::Shl => {
            if (0..64).contains(&b) {
                a << b
            } else {
                0
            }
        }
        BinOp::Shr => {
            if (0..64).contains(&b) {
                ((a as u64) >> b) as i64
            } else {
                0
            }
        }
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::OrNot => a | !b,
        BinOp::LogicalAnd => i64::from(a != 0 && b != 0),
        BinOp::LogicalOr => i64::from(a != 0 || b != 0),
        BinOp::Eq => truth(a == b),
        BinOp::Ne => truth(a != b),
        BinOp::Lt => truth(a < b),
        BinOp::Le => truth(a <= b),
        BinOp::Gt => truth(a > b),
        BinOp::Ge => truth(a >= b),
    }))
}

/// The operator here with its precedence and length; higher binds tighter, as in GNU as.
fn operator(c: &Cursor<'_>) -> Option<(BinOp, u8, usize)> {
    Some(match (c.peek(), c.peek_at(1)) {
        (b'|', b'|') => (BinOp::LogicalOr, 1, 2),
        (b'&', b'&') => (BinOp::LogicalAnd, 2, 2),
        (b'=', b'=') => (BinOp::Eq, 3, 2),
        (b'!', b'=') | (b'<', b'>') => (BinOp::Ne, 3, 2),
        (b'<', b'<') => (BinOp::Shl, 6, 2),
        (b'>', b'>') => (BinOp::Shr, 6, 2),
        (b'<', b'=') => (BinOp::Le, 3, 2),
        (b'>', b'=') => (BinOp::Ge, 3, 2),
        (b'<', _) => (BinOp::Lt, 3, 1),
        (b'>', _) => (BinOp::Gt, 3, 1),
        (b'+', _) => (BinOp::Add, 4, 1),
        (b'-', _) => (BinOp::Sub, 4, 1),
        (b'|', _) => (BinOp::Or, 5, 1),
        (b'&', _) => (BinOp::And, 5, 1),
        (b'^', _) => (BinOp::Xor, 5, 1),
        (b'!', _) => (BinOp::OrNot, 5, 1),
        (b'*', _) => (BinOp::Mul, 6, 1),
        (b'/', b'/' | b'*') => return None,
        (b'/', _) => (BinOp::Div, 6, 1),
        (b'%', _) => (BinOp::Mod, 6, 1),
        _ => return None,
    })
}

/// Reads an expression.
pub(crate) fn expression(c: &mut Cursor<'_>) -> Result<Expr, ParseError> {
    level(c, 1, 0)
}

/// Reads one term of an expression: a number, a symbol or what parentheses hold, with the signs before it.
pub(crate) fn term(c: &mut Cursor<'_>) -> Result<Expr, ParseError> {
    primary(c, 0)
}

fn level(c: &mut Cursor<'_>, least: u8, depth: usize) -> Result<Expr, ParseError> {
    if depth > DEPTH {
        return Err(c.error("expression is nested too deeply"));
    }
    let mut left = primary(c, depth + 1)?;
    let mut terms = 0;
    loop {
        c.skip_space();
        let Some((op, precedence, len)) = operator(c) else { return Ok(left) };
        if precedence < least {
            return Ok(left);
        }
        // A chain is a left-leaning tree, which evaluation walks recursively.
        terms += 1;
        if terms > DEPTH {
            return Err(c.error("expression has too many terms"));
        }
        for _ in 0..len {
            c.bump();
        }
        let right = level(c, precedence + 1, depth + 1)?;
        left = match (op, left, right) {
            (op, Expr::Int(a), Expr::Int(b)) => match binary(op, Value::absolute(a), Value::absolute(b)) {
                Ok(v) => Expr::Int(v.number),
                Err(_) => Expr::Binary(op, Box::new(Expr::Int(a)), Box::new(Expr::Int(b))),
            },
            (op, l, r) => Expr::Binary(op, Box::new(l), Box::new(r)),
        };
    }
}

fn primary(c: &mut Cursor<'_>, depth: usize) -> Result<Expr, ParseError> {
    if depth > DEPTH {
        return Err(c.error("expression is nested too deeply"));
    }
    c.skip_space();
    let unary = |op, x| match (op, x) {
        (UnOp::Neg, Expr::Int(v)) => Expr::Int(v.wrapping_neg()),
        (UnOp::Not, Expr::Int(v)) => Expr::Int(!v),
        (op, x) => Expr::Unary(op, Box::new(x)),
    };
    match c.peek() {
        b'-' => {
            c.bump();
            Ok(unary(UnOp::Neg, primary(c, depth + 1)?))
        }
        b'+' => {
            c.bump();
            primary(c, depth + 1)
        }
        b'~' => {
            c.bump();
            Ok(unary(UnOp::Not, primary(c, depth + 1)?))
        }
        b'!' => {
            c.bump();
            Ok(unary(UnOp::LogicalNot, primary(c, depth + 1)?))
        }
        b'(' => {
            c.bump();
            let e = level(c, 1, depth + 1)?;
            c.expect(b')')?;
            Ok(e)
        }
        b'0'..=b'9' => numeric(c),
        b'"' => Ok(Expr::Symbol(String::from_utf8_lossy(&super::string(c)?).into_owned(), None)),
        b'\'' => {
            // A character constant.
            c.bump();
            let v = c.peek() as i64;
            c.bump();
            c.expect(b'\'')?;
            Ok(Expr::Int(v))
        }
        _ => symbol(c, depth),
    }
}

fn numeric(c: &mut Cursor<'_>) -> Result<Expr, ParseError> {
    let start = c.pos();
    // Directional labels: `1b`, `1f`.
    let mut digits = 0;
    while c.peek_at(digits).is_ascii_digit() {
        digits += 1;
    }
    if matches!(c.peek_at(digits), b'b' | b'f') && !super::cursor::is_word(c.peek_at(digits + 1)) && digits < 6 {
        let binary = c.peek() == b'0' && digits == 1 && c.peek_at(1) == b'b' && c.peek_at(2).is_ascii_digit();
        if !binary {
            for _ in 0..=digits {
                c.bump();
            }
            return Ok(Expr::Symbol(c.since(start).to_owned(), None));
        }
    }
    match number(c)? {
        Number::Int(x) => Ok(Expr::Int(x)),
        // As LLVM has it: expressions calculate with bits.
        Number::Float(x) => Ok(Expr::Int(x.to_bits() as i64)),
    }
}

fn symbol(c: &mut Cursor<'_>, depth: usize) -> Result<Expr, ParseError> {
    let Some(word) = c.word() else {
        return Err(c.foreign().unwrap_or_else(|| c.error("expected an expression")));
    };
    if word == "." {
        return Ok(Expr::Here);
    }
    let at = c.pos();
    c.skip_space();
    if c.peek() == b'(' && matches!(word, "max" | "or" | "alignto" | "extrasgprs" | "totalnumvgprs" | "occupancy") {
        c.bump();
        let mut args = Vec::new();
        loop {
            args.push(level(c, 1, depth + 1)?);
            if !c.eat(b',') {
                break;
            }
        }
        c.expect(b')')?;
        return Ok(Expr::Call(word.to_owned(), args));
    }
    c.seek(at);
    Ok(match word.split_once('@') {
        Some((name, variant)) => Expr::Symbol(name.to_owned(), Some(variant.to_owned())),
        None => Expr::Symbol(word.to_owned(), None),
    })
}
