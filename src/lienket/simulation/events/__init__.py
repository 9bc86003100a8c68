"""What happens during a run: conditions looked for, impacts, structures that change."""
