//! The protocols: transcripts against the binary, and its answering times.

#[cfg(target_os = "linux")]
mod answer_times;
mod client;
mod conversation;
mod endurance;
mod transcripts;
