package io.millrace.samples.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code serve} on a thread of this process; closing ends it as a signal does. */
final class NodeInThread implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("listening on (\\S+) \\(driver .+\\)");
  private static final long END_SECONDS = 20;

  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final BufferedReader out;
  private final Thread thread;
  private final String address;

  private NodeInThread(List<String> args) throws IOException {
    PipedOutputStream pipe = new PipedOutputStream();
    out =
        new BufferedReader(
            new InputStreamReader(new PipedInputStream(pipe), StandardCharsets.UTF_8));
    PrintStream stdout = new PrintStream(pipe, true, StandardCharsets.UTF_8);
    thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (stdout) {
                    exitCode.complete(Main.run(args, stdout, System.err));
                  }
                });
    String line = String.valueOf(out.readLine());
    Matcher matcher = LISTENING.matcher(line);
    if (!matcher.matches()) {
      throw new AssertionError("not a listening line: " + line);
    }
    address = matcher.group(1);
  }

  static NodeInThread start(String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("serve", "--listen", "127.0.0.1:0"));
    args.addAll(List.of(options));
    return new NodeInThread(args);
  }

  /** Starts another command that listens. */
  static NodeInThread ofCommand(String... args) throws IOException {
    return new NodeInThread(List.of(args));
  }

  String address() {
    return address;
  }

  /** Ends the node and returns the rest of its output. */
  List<String> end() throws Exception {
    thread.interrupt();
    List<String> rest = out.lines().toList();
    int code = exitCode.get(END_SECONDS, TimeUnit.SECONDS);
    if (code != 0) {
      throw new AssertionError("serve ended with " + code);
    }
    return rest;
  }

  @Override
  public void close() {
    thread.interrupt();
    var _ = exitCode.orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
  }
}
