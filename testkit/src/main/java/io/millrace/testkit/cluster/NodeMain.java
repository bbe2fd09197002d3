package io.millrace.testkit.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a node's JVM. Arguments: name, incarnation, usual limit in ns, names of all
 * nodes; one line of input: port and token. The JVM lives as long as the connection.
 */
final class NodeMain {
  /** Exit code of a node that has lost its harness. */
  static final int EXIT_ORPHANED = 70;

  private static final int FIRST_NAME = 3;
  private static final int MOST_TRACE_CHARS = 48 * 1024;

  private final ControlChannel channel;
  private final NodeHandle handle;
  private final CompletableFuture<String> program = new CompletableFuture<>();

  private NodeMain(ControlChannel channel, NodeHandle handle) {
    this.channel = channel;
    this.handle = handle;
  }

  /** See the class. */
  public static void main(String[] arguments) throws Exception {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    String line = input.readLine();
    if (line == null) {
      System.exit(EXIT_ORPHANED);
      return;
    }
    String[] invitation = line.split(" ", -1);
    System.setIn(InputStream.nullInputStream());
    ControlChannel channel =
        new ControlChannel(
            new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(invitation[0])));
    List<String> all = List.of(arguments);
    NodeHandle handle =
        new NodeHandle(
            arguments[0],
            Integer.parseInt(arguments[1]),
            all.subList(FIRST_NAME, all.size()),
            Duration.ofNanos(Long.parseLong(arguments[2])),
            channel);
    channel.send(Frame.of(Frame.Kind.HELLO, invitation[1]));
    new NodeMain(channel, handle).live();
  }

  private void live() throws Exception {
    Thread.ofPlatform().daemon().name("control").start(this::hear);
    String packed = program.get();
    if (packed.isEmpty()) {
      end("");
      return;
    }
    try {
      ShippedProgram.unpack(packed).run(handle);
    } catch (Throwable e) {
      fail(e);
    }
    end(handle.result());
  }

  private void end(String result) throws IOException {
    channel.send(Frame.of(Frame.Kind.ENDED, result));
    System.exit(0);
  }

  private void fail(Throwable failure) throws IOException {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace, true));
    String text = trace.toString();
    System.err.println(text);
    text = text.substring(0, Math.min(text.length(), MOST_TRACE_CHARS));
    channel.send(Frame.of(Frame.Kind.FAILED, text));
    System.exit(1);
  }

  /**
   * Hears frames of the harness. Without the harness the JVM has no reason to live: no hooks, no
   * last words.
   */
  private void hear() {
    try {
      @Nullable Frame frame = channel.receive();
      while (frame != null) {
        take(frame);
        frame = channel.receive();
      }
    } catch (IOException e) {
      // An error ends the JVM as a closed connection does.
    }
    Runtime.getRuntime().halt(EXIT_ORPHANED);
  }

  private void take(Frame frame) throws IOException {
    switch (frame.kind()) {
      case RUN -> program.complete(frame.value());
      case STOP -> {
        handle.onStop();
        program.complete("");
      }
      case DUMP -> {
        dump();
        channel.send(Frame.of(Frame.Kind.DUMPED, ""));
      }
      default -> handle.onAnswer(frame);
    }
  }

  private static void dump() {
    StringBuilder text = new StringBuilder("Threads:\n");
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              text.append('"').append(thread.getName()).append("\" ").append(thread.getState());
              for (StackTraceElement element : stack) {
                text.append("\n    at ").append(element);
              }
              text.append('\n');
            });
    System.err.print(text);
    System.err.flush();
  }
}
