package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.ends.FailureText;
import io.millrace.transfer.CallOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The log of one node's transfers, executions and results, in a file that survives SIGKILL: each
 * line goes to the system before any consequence of the line. Any thread.
 */
final class TrafficLog {
  static final String SENT = "S";
  static final String EXECUTED = "E";
  static final String RESOLVED = "R";
  static final String VIOLATED = "V";

  private final int node;
  private final OutputStream file;

  TrafficLog(Path directory, int node) throws IOException {
    this.node = node;
    file = Files.newOutputStream(directory.resolve(node + ".log"));
  }

  void sent(long id, int to, long digest) {
    write(SENT + " " + id + " " + to + " " + digest);
  }

  void executed(long id, long digest) {
    write(EXECUTED + " " + id + " " + digest);
  }

  /**
   * Records the end of a transfer at its caller; returns the outcome. A failure other than {@link
   * CallException} breaks a rule.
   */
  CallOutcome resolved(long id, @Nullable Throwable failure) {
    CallOutcome outcome = CallOutcome.OK;
    if (failure != null && FailureText.cause(failure) instanceof CallException failed) {
      outcome = failed.outcome();
    } else if (failure != null) {
      outcome = CallOutcome.PEER_FAULT;
      violated("typed failures", "transfer " + id + " ended with " + failure);
    }
    write(RESOLVED + " " + id + " " + outcome + " " + failure);
    return outcome;
  }

  void violated(String rule, String what) {
    write(VIOLATED + " " + rule + ": " + what);
  }

  private synchronized void write(String line) {
    try {
      file.write((line.replace('\n', ' ') + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the log of node " + node, e);
    }
  }
}
