package io.millrace.samples.cli;

/** The exit codes of the command line; scripts depend on these codes. */
final class ExitCode {
  /** Everything asked for was done and verified. */
  static final int DONE = 0;

  /** The run failed. */
  static final int FAILED = 1;

  /** An argument or a setting is wrong. */
  static final int BAD_ARGUMENT = 2;

  private ExitCode() {}
}
