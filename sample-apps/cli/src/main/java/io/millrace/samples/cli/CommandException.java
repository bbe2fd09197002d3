package io.millrace.samples.cli;

/**
 * A command cannot go on: a sentence for a person, and the exit code that tells a wrong argument
 * from a failed run.
 */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandException(int exitCode, String sentence) {
    super(sentence, null, false, false);
    this.exitCode = exitCode;
  }

  /** The arguments or the configuration are wrong; nothing was done. */
  static CommandException badArgument(String sentence) {
    return new CommandException(ExitCode.BAD_ARGUMENT, sentence);
  }

  /** The command was understood and did not succeed. */
  static CommandException failed(String sentence) {
    return new CommandException(ExitCode.FAILED, sentence);
  }

  int exitCode() {
    return exitCode;
  }
}
