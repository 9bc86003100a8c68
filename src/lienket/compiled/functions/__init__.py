"""What each compiled function computes, and the elimination that is written out."""
