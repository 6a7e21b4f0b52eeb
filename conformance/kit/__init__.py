"""The protocol as a kit: what is true of every client and every service. It shares nothing with either but the contract."""
