package io.millrace.testkit.cluster;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** Frames over a connection. Any thread sends, a single thread receives. */
final class ControlChannel implements AutoCloseable {
  /**
   * Room for all answers that a node may be owed, so that the harness never blocks on a node that
   * stands still.
   */
  private static final int SEND_BUFFER_BYTES = 1 << 20;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  ControlChannel(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSendBufferSize(SEND_BUFFER_BYTES);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  synchronized void send(Frame frame) throws IOException {
    frame.write(out);
    out.flush();
  }

  /** The next frame; null when the other side has closed the connection. */
  @Nullable Frame receive() throws IOException {
    try {
      return Frame.read(in);
    } catch (EOFException | SocketException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
