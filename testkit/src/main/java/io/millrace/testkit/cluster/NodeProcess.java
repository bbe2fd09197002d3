package io.millrace.testkit.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The JVM of one life: a process, its output and its control connection. This class decides
 * nothing: frames and the end go to the listener, on a thread of this life.
 */
final class NodeProcess {
  private static final int TOKEN_BYTES = 16;
  private static final int ACCEPT_MS = 50;
  private static final int HELLO_MS = 5_000;
  private static final long LAST_OUTPUT_MS = 2_000;
  private static final long PATIENCE_S = 10;

  private final int incarnation;
  private final Process process;
  private final OutputTail output;
  private final ServerSocket door;
  private final String token;
  private @Nullable ControlChannel channel;

  /** Receives the frames and the end of a life. */
  interface Listener {
    /** The node has sent this frame. */
    void onFrame(NodeProcess life, Frame frame);

    /** The process has ended with this code, after all its frames. */
    void onExit(NodeProcess life, int exitCode);
  }

  private NodeProcess(
      int incarnation, Process process, String name, ServerSocket door, String token) {
    this.incarnation = incarnation;
    this.process = process;
    this.door = door;
    this.token = token;
    output = new OutputTail(name, process.getInputStream());
  }

  /** Starts the process; {@link #connect} waits for its connection afterwards. */
  static NodeProcess launch(ClusterOptions options, String name, int incarnation)
      throws IOException {
    byte[] secret = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(secret);
    String token = HexFormat.of().formatHex(secret);
    ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    try {
      Process process =
          new ProcessBuilder(options.command(name, incarnation)).redirectErrorStream(true).start();
      NodeProcess life = new NodeProcess(incarnation, process, name, door, token);
      life.invite();
      return life;
    } catch (IOException e) {
      door.close();
      throw e;
    }
  }

  /** Not on the command line, because there everybody on this host could read the token. */
  private void invite() {
    try (OutputStream input = process.getOutputStream()) {
      String line = door.getLocalPort() + " " + token + "\n";
      input.write(line.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // The process has ended already; connect tells how.
    }
  }

  /**
   * Waits until the JVM has connected, and hears its frames from then on.
   *
   * @throws ClusterException if the JVM ends first or takes too long
   */
  void connect(Listener listener, long startNs, long limitNs)
      throws IOException, InterruptedException {
    ControlChannel accepted = null;
    try (door) {
      door.setSoTimeout(ACCEPT_MS);
      while (accepted == null) {
        if (!process.isAlive()) {
          output.awaitEnd(LAST_OUTPUT_MS);
          throw new ClusterException(
              "its JVM ended with exit code " + process.exitValue() + " before it came up");
        }
        if (System.nanoTime() - startNs > limitNs) {
          throw new ClusterException("its JVM did not come up in time");
        }
        accepted = accept();
      }
    }
    channel = accepted;
    ControlChannel connected = accepted;
    Thread.ofPlatform()
        .daemon()
        .name("control-of-" + process.pid())
        .start(() -> hear(connected, listener));
  }

  /** Accepts a connection; null when no node has come for a while, or a stranger has. */
  private @Nullable ControlChannel accept() throws IOException {
    Socket socket;
    try {
      socket = door.accept();
    } catch (SocketTimeoutException e) {
      return null;
    }
    socket.setSoTimeout(HELLO_MS);
    ControlChannel accepted = new ControlChannel(socket);
    Frame hello = Frame.of(Frame.Kind.REFUSED, "");
    try {
      Frame received = accepted.receive();
      hello = received == null ? hello : received;
    } catch (IOException e) {
      // An unreadable greeting comes from a stranger, not from the node.
    }
    if (hello.kind() != Frame.Kind.HELLO || !hello.value().equals(token)) {
      accepted.close();
      return null;
    }
    socket.setSoTimeout(0);
    return accepted;
  }

  private void hear(ControlChannel connected, Listener listener) {
    try (connected) {
      Frame frame = connected.receive();
      while (frame != null) {
        listener.onFrame(this, frame);
        frame = connected.receive();
      }
    } catch (IOException e) {
      // A frame that cannot be understood ends the conversation, and with it the node.
    }
    try {
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        destroy();
        process.waitFor();
      }
      output.awaitEnd(LAST_OUTPUT_MS);
      listener.onExit(this, process.exitValue());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends a frame to the node. A node that is gone does not hear; the listener tells its end. */
  void send(Frame frame) {
    ControlChannel connected = channel;
    try {
      if (connected != null) {
        connected.send(frame);
      }
    } catch (IOException e) {
      destroy();
    }
  }

  int incarnation() {
    return incarnation;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  List<String> output() {
    return output.lines();
  }

  /** SIGKILL. */
  void kill() {
    destroy();
    try {
      door.close();
    } catch (IOException e) {
      // No connection comes through this socket any more.
    }
  }

  /**
   * Ends the process by its handle: the process itself would close its output first, last words and
   * all.
   */
  private void destroy() {
    process.toHandle().destroyForcibly();
  }

  /**
   * Waits until the process and its output are gone; false if the process still exists after the
   * limit.
   */
  boolean awaitGone(long limitMs) throws InterruptedException {
    boolean isGone = process.waitFor(limitMs, TimeUnit.MILLISECONDS);
    output.awaitEnd(LAST_OUTPUT_MS);
    return isGone;
  }
}
