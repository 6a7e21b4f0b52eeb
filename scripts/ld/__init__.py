"""What the scripts of this project share: parts with time limits, tiers of tests, and each part by its name."""
