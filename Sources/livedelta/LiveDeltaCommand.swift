import ArgumentParser

/// The command line: `livedelta SUBCOMMAND …`.
@main struct LiveDeltaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "livedelta",
    abstract: "Serves versioned lists as the smallest legal steps from one version to the next.",
    discussion: """
      A backend PUTs whole snapshots of a list; apps that hold an older version get the delta: \
      the inserts, deletes, moves and reloads that turn the one into the other, in batches that \
      UITableView and UICollectionView animate without a crash.

      A first look, in two terminals:
        livedelta serve
        livedelta put examples/inbox-1.json --collection u42/inbox
        livedelta watch --collection u42/inbox
        livedelta put examples/inbox-2.json --collection u42/inbox

      Settings such as --server, --collection and --listen can also stand in the environment \
      (LIVEDELTA_SERVER=…) or in a file (--config FILE, as config/livedelta.json, which shows all of \
      them); a flag wins over the environment, that over the file, that over the default.

      Exit codes:
        0   done
        1   the service refused, or what was checked does not hold
        64  the command line is wrong
        65  an input is not what it should be
        66  an input cannot be read
        69  the service cannot be reached
        75  the service did not answer in time
        78  the configuration is wrong
        130 interrupted
      """,
    version: LiveDeltaVersion.text,
    subcommands: [
      Serve.self, Put.self, Get.self, DeltaCommand.self, Watch.self, Diff.self, Replay.self,
      Check.self, Backup.self, Verify.self,
    ])
}

/// The version of the program.
enum LiveDeltaVersion {
  static let text = "0.1.0"
}
