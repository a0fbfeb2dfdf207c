"""Games that were played: listed, shown, written as records, read in again, and replayed."""
