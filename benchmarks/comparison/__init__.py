"""Two commits measured against each other: their sources side by side, a worker process for each, the verdict."""
