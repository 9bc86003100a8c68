"""Commands of the command line, one file each; `program` lists them."""
