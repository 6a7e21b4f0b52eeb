import ArgumentParser

/// `livedelta completion SHELL`.
struct CompletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints a completion script for a shell.",
    discussion: """
      The script completes commands, options, files, and the clients and collections of the service.

        livedelta completion bash
        source <(livedelta completion bash)
        livedelta completion zsh > "${fpath[1]}/_livedelta"
        livedelta completion fish > ~/.config/fish/completions/livedelta.fish
      """)

  @Argument(help: "bash, zsh or fish.", completion: .list(["bash", "zsh", "fish"]))
  var shell: String

  /// A client is completed with a slash and without the space that bash puts after a word.
  private static let withoutSpace = """

    _livedelta_without_space() {
        _livedelta "$@"
        if [[ "${COMPREPLY[0]}" == */ ]]; then compopt -o nospace 2> /dev/null; fi
    }
    complete -o filenames -F _livedelta_without_space livedelta
    """

  /// The same for zsh: the line that offers what was found, and what takes its place.
  private static let offer = (
    generated: #"        __livedelta_complete "${completions[@]:0:-1}""#,
    withoutSpace: #"""
            local -ar found=("${completions[@]:0:-1}")
            local -ar unfinished=("${(@M)found:#*/}")
            __livedelta_complete "${(@)found:#*/}"
            _describe -V '' unfinished -S ''
    """#
  )

  /// Makes the script from what the parser generates for the shell.
  func script(_ generate: (CompletionShell) -> String) throws -> String {
    guard let known = CompletionShell(rawValue: shell) else {
      throw Failure(.usage, "\"\(shell)\" is not bash, zsh or fish")
    }
    let script = generate(known)
    switch known {
    case .bash: return script + Self.withoutSpace
    case .zsh:
      return script.split(separator: Self.offer.generated, omittingEmptySubsequences: false)
        .joined(separator: Self.offer.withoutSpace)
    default: return script
    }
  }
}
