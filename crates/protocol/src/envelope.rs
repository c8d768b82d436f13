//! How a message is packed.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Identifies the build. The worker's files keep their names from release to release, so a page
/// may meet an older worker from a cache: it compares this id and reloads once.
pub const BUILD_ID: &str = match option_env!("PALIMPSEST_BUILD_ID") {
    Some(id) => id,
    None => "dev",
};

/// A message and the number that ties an answer to its question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope<T> {
    /// The question's number; 0 for what the worker says unasked.
    pub id: u32,
    /// The message.
    pub body: T,
}

/// A message could not be packed or unpacked: page and worker are of different builds, or memory
/// is short.
#[derive(Debug, Error)]
#[error("a message between the page and its worker could not be read ({0})")]
pub struct EnvelopeError(#[from] postcard::Error);

impl<T: Serialize> Envelope<T> {
    /// Packs the message into bytes for a transferred buffer.
    ///
    /// # Errors
    /// Never for the types of this crate, short of memory.
    pub fn pack(&self) -> Result<Vec<u8>, EnvelopeError> {
        Ok(postcard::to_stdvec(self)?)
    }
}

impl<T: DeserializeOwned> Envelope<T> {
    /// Unpacks a message.
    ///
    /// # Errors
    /// The bytes are no such message.
    pub fn unpack(bytes: &[u8]) -> Result<Envelope<T>, EnvelopeError> {
        Ok(postcard::from_bytes(bytes)?)
    }
}
