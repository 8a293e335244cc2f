// Protocols between waves, each in every memory order and scope that C11 and HIP offer for it, and each with one part too
// weak. The test says which are right.
//
// Arguments of every kernel: what is synchronised on, data, results; all start as zero. `n` is the number of workgroups.

typedef unsigned u32;
typedef unsigned long long u64;
#define DEVICE __attribute__((device)) inline
#define SHARED __attribute__((shared))
#define WAVES(N) __attribute__((global, amdgpu_flat_work_group_size(64 * N, 64 * N)))

constexpr int RELAXED = __ATOMIC_RELAXED, ACQUIRE = __ATOMIC_ACQUIRE, RELEASE = __ATOMIC_RELEASE, BOTH = __ATOMIC_ACQ_REL,
              SEQ = __ATOMIC_SEQ_CST;
constexpr int GROUP = __HIP_MEMORY_SCOPE_WORKGROUP, AGENT = __HIP_MEMORY_SCOPE_AGENT, SYSTEM = __HIP_MEMORY_SCOPE_SYSTEM;

// The orders of stores, loads and read-modify-writes, their scope, and which fences stand beside them.
template <int Store, int Load, int Change, int Scope, bool Before, bool After>
struct Mode {
  static DEVICE void release() {
    if constexpr (Before && Scope == GROUP) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    if constexpr (Before && Scope == AGENT) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    if constexpr (Before && Scope == SYSTEM) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  }
  static DEVICE void acquire() {
    if constexpr (After && Scope == GROUP) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if constexpr (After && Scope == AGENT) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    if constexpr (After && Scope == SYSTEM) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
  }
  static DEVICE void store(u32 *p, u32 v) {
    release();
    __hip_atomic_store(p, v, Store, Scope);
  }
  static DEVICE u32 look(u32 *p) { return __hip_atomic_load(p, Load, Scope); }
  static DEVICE u32 load(u32 *p) {
    u32 v = look(p);
    acquire();
    return v;
  }
  static DEVICE u32 add(u32 *p, u32 v) {
    release();
    u32 old = __hip_atomic_fetch_add(p, v, Change, Scope);
    acquire();
    return old;
  }
  static DEVICE bool swap(u32 *p, u32 from, u32 to) {
    release();
    bool done = __hip_atomic_compare_exchange_strong(p, &from, to, Change, Load, Scope);
    acquire();
    return done;
  }
};

DEVICE u32 lane() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE u32 group() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE void together() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Message passing: what workgroup 0 stored, its flag raised by one lane, the others read.
template <class M>
DEVICE void message(u32 *sync, u32 *data, u32 *out) {
  u32 l = lane();
  if (group() == 0) {
    data[l] = l + 5;
    together();
    if (l == 0) M::store(sync, 1);
  } else {
    if (l == 0)
      while (M::load(sync) == 0) {}
    together();
    out[group() * 128 + l] = data[127 - l];
  }
}

// The same with a lock that is tried for, instead of a flag.
template <class M>
DEVICE void spinlock(u32 *sync, u32 *data) {
  if (lane() == 0) {
    while (!M::swap(sync, 0, 1)) {}
    data[0] += group() + 1;
    data[64] += 2;
    M::store(sync, 0);
  }
}

// A ring of four slots with one producer and one consumer.
template <class M>
DEVICE void ring(u32 *sync, u32 *data, u32 *out, u32 me) {
  u32 l = lane() & 63;
  u32 *head = sync, *tail = sync + 64;
  for (u32 i = 0; i < 10; i++) {
    u32 *slot = data + i % 4 * 64 + l;
    if (me == 0) {
      while (i - M::load(tail) >= 4) {}
      *slot = i * 100 + l;
      M::store(head, i + 1);
    } else if (me == 1) {
      while (M::load(head) <= i) {}
      out[i * 64 + l] = *slot;
      M::store(tail, i + 1);
    }
  }
}

// Turns are taken in the order of tickets.
template <class M>
DEVICE void ticket(u32 *sync, u32 *data, u32 *out, u32 me) {
  if ((lane() & 63) == 0) {
    u32 mine = M::add(sync, 1);
    while (M::load(sync + 64) != mine) {}
    u32 sum = data[0] + me + 1;
    data[0] = sum;
    out[mine] = sum - mine;
    M::store(sync + 64, mine + 1);
  }
}

// A barrier of the whole grid, twice; the count is looked at by a plain load behind it.
template <class M>
DEVICE void grid(u32 *sync, u32 *data, u32 *out, u32 n) {
  u32 l = lane(), g = group();
  for (u32 round = 1; round <= 2; round++) {
    data[(round * 8 + g) * 128 + l] = round * 1000 + g * 128 + l;
    together();
    if (l == 0) {
      M::add(sync, 1);
      while (M::load(sync) < round * n) {}
    }
    together();
    out[(round * 8 + g) * 128 + l] = data[(round * 8 + (g + 1) % n) * 128 + 127 - l];
  }
  if (l == 0) out[g] = *sync;
}

// Stream-K's end of a tile: the workgroup that owns it adds the partial sums of the others.
template <class M>
DEVICE void fixup(u32 *sync, u32 *data, u32 *out, u32 n) {
  u32 l = lane(), g = group();
  if (g != 0) {
    data[g * 128 + l] = g * l;
    together();
    if (l == 0) M::store(sync + g, 1);
    return;
  }
  u32 sum = 0;
  for (u32 i = 1; i < n; i++) {
    if (l == 0)
      while (M::load(sync + i) == 0) {}
    together();
    sum += data[i * 128 + l];
  }
  out[l] = sum;
}

// Decoupled look-back: every workgroup publishes its sum, then the sum of all before it.
template <class M>
DEVICE void lookback(u32 *sync, u32 *data, u32 *out) {
  if (lane() != 0) return;
  u32 g = group(), mine = g * 3 + 1, before = 0;
  u32 *sums = data, *prefixes = data + 64;
  sums[g] = mine;
  M::store(sync + g, 1);
  for (int p = (int)g - 1; p >= 0;) {
    u32 state = M::load(sync + p);
    if (state == 2) {
      before += prefixes[p];
      break;
    }
    if (state == 1) {
      before += sums[p];
      p--;
    }
  }
  prefixes[g] = before + mine;
  M::store(sync + g, 2);
  out[g] = before;
}

// The same with state and sum in one word, which needs no order at all.
template <class M, int Scope>
DEVICE void packed(u64 *sync, u32 *out) {
  if (lane() != 0) return;
  u32 g = group(), mine = g * 3 + 1, before = 0;
  __hip_atomic_store(sync + g, (1ull << 32) | mine, __ATOMIC_RELAXED, Scope);
  for (int p = (int)g - 1; p >= 0;) {
    u64 seen = __hip_atomic_load(sync + p, __ATOMIC_RELAXED, Scope);
    if (seen >> 32 == 0) continue;
    before += (u32)seen;
    if (seen >> 32 == 2) break;
    p--;
  }
  __hip_atomic_store(sync + g, (2ull << 32) | (before + mine), __ATOMIC_RELAXED, Scope);
  out[g] = before;
}

// The workgroup that is the last to count itself sums up what all have left, and sets the counter back.
template <class M>
DEVICE void last(u32 *sync, u32 *data, u32 *out, u32 n) {
  SHARED static u32 is_last;
  u32 l = lane(), g = group();
  data[g * 128 + l] = g + l;
  together();
  if (l == 0) is_last = M::add(sync, 1) == n - 1;
  together();
  if (!is_last) return;
  u32 sum = 0;
  for (u32 i = 0; i < n; i++) sum += data[i * 128 + l];
  out[l] = sum;
  if (l == 0) *sync = 0;
}

// Message passing between two waves of a workgroup, in memory and in LDS.
template <class M>
DEVICE void pair(u32 *sync, u32 *data, u32 *out) {
  u32 l = lane();
  if (l < 64) {
    data[l] = l + 5;
    M::store(sync, 1);
  } else {
    while (M::load(sync) == 0) {}
    out[l - 64] = data[127 - l];
  }
}
template <class M>
DEVICE void inside(u32 *out) {
  SHARED static u32 flag, data[64];
  u32 l = lane();
  if (l == 0) flag = 0;
  together();
  if (l < 64) {
    data[l] = l + 5;
    M::store(&flag, 1);
  } else {
    while (M::load(&flag) == 0) {}
    out[l - 64] = data[127 - l];
  }
}

#define ARGS u32 *sync, u32 *data, u32 *out, u32 n
#define ACROSS(NAME, ...)                                                                                                   \
  extern "C" WAVES(2) void message_##NAME(ARGS) { message<Mode<__VA_ARGS__>>(sync, data, out); }                             \
  extern "C" WAVES(1) void spinlock_##NAME(ARGS) { spinlock<Mode<__VA_ARGS__>>(sync, data); }                                \
  extern "C" WAVES(1) void ring_##NAME(ARGS) { ring<Mode<__VA_ARGS__>>(sync, data, out, group()); }                          \
  extern "C" WAVES(1) void ticket_##NAME(ARGS) { ticket<Mode<__VA_ARGS__>>(sync, data, out, group()); }                      \
  extern "C" WAVES(2) void grid_##NAME(ARGS) { grid<Mode<__VA_ARGS__>>(sync, data, out, n); }                                \
  extern "C" WAVES(2) void fixup_##NAME(ARGS) { fixup<Mode<__VA_ARGS__>>(sync, data, out, n); }                              \
  extern "C" WAVES(1) void lookback_##NAME(ARGS) { lookback<Mode<__VA_ARGS__>>(sync, data, out); }                           \
  extern "C" WAVES(2) void last_##NAME(ARGS) { last<Mode<__VA_ARGS__>>(sync, data, out, n); }
#define WITHIN(NAME, ...)                                                                                                   \
  extern "C" WAVES(2) void pair_##NAME(ARGS) { pair<Mode<__VA_ARGS__>>(sync, data, out); }                                   \
  extern "C" WAVES(2) void inside_##NAME(ARGS) { inside<Mode<__VA_ARGS__>>(out); }                                           \
  extern "C" WAVES(2) void innerring_##NAME(ARGS) { ring<Mode<__VA_ARGS__>>(sync, data, out, lane() / 64); }                 \
  extern "C" WAVES(4) void innerticket_##NAME(ARGS) { ticket<Mode<__VA_ARGS__>>(sync, data, out, lane() / 64); }

ACROSS(agent, RELEASE, ACQUIRE, BOTH, AGENT, false, false)
ACROSS(system, RELEASE, ACQUIRE, BOTH, SYSTEM, false, false)
ACROSS(seq, SEQ, SEQ, SEQ, AGENT, false, false)
ACROSS(seqsystem, SEQ, SEQ, SEQ, SYSTEM, false, false)
ACROSS(fences, RELAXED, RELAXED, RELAXED, AGENT, true, true)
ACROSS(fencessystem, RELAXED, RELAXED, RELAXED, SYSTEM, true, true)
WITHIN(group, RELEASE, ACQUIRE, BOTH, GROUP, false, false)
WITHIN(groupseq, SEQ, SEQ, SEQ, GROUP, false, false)
WITHIN(groupfences, RELAXED, RELAXED, RELAXED, GROUP, true, true)
WITHIN(agent, RELEASE, ACQUIRE, BOTH, AGENT, false, false)
WITHIN(system, RELEASE, ACQUIRE, BOTH, SYSTEM, false, false)
// Too weak.
ACROSS(norelease, RELAXED, ACQUIRE, ACQUIRE, AGENT, false, false)
ACROSS(noacquire, RELEASE, RELAXED, RELEASE, AGENT, false, false)
ACROSS(relaxed, RELAXED, RELAXED, RELAXED, AGENT, false, false)
ACROSS(nobefore, RELAXED, RELAXED, RELAXED, AGENT, false, true)
ACROSS(noafter, RELAXED, RELAXED, RELAXED, AGENT, true, false)
ACROSS(narrow, RELEASE, ACQUIRE, BOTH, GROUP, false, false)
extern "C" WAVES(1) void packed_agent(ARGS) { packed<void, AGENT>((u64 *)sync, out); }
extern "C" WAVES(1) void packed_system(ARGS) { packed<void, SYSTEM>((u64 *)sync, out); }
extern "C" WAVES(1) void packed_narrow(ARGS) { packed<void, GROUP>((u64 *)sync, out); }
