//! Parts of a corpus as threads of one process, with exchanges through shared memory.

mod bounds;
mod corpus;
mod decisions;
mod sums;
mod unify;
mod updates;
mod work;
