package io.millrace.samples.bench.burst;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * A connection, on either side. A frame has a length, the number of requested answer bytes ({@value
 * #ANSWER} in an answer), and the payload. Answers come in the order of their requests. Used on the
 * selector's thread alone.
 */
final class TcpConnection {
  private static final int HEAD_BYTES = 2 * Integer.BYTES;
  private static final int ANSWER = -1;
  private static final int MOST_BUFFERS = 64;

  private final SocketChannel channel;
  private final SelectionKey key;
  private final boolean isForOneCall;
  private final ArrayDeque<ByteBuffer> outgoing = new ArrayDeque<>();
  private final ArrayDeque<BurstCaller.Ending> calls = new ArrayDeque<>();
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
  private int bytesLeft;
  private boolean isFailed;

  TcpConnection(SocketChannel channel, SelectionKey key, boolean isForOneCall) {
    this.channel = channel;
    this.key = key;
    this.isForOneCall = isForOneCall;
  }

  void call(byte[] request, BurstCaller.Ending ending) {
    if (isFailed) {
      BurstCaller.fail(ending, "the connection failed before");
      return;
    }
    calls.add(ending);
    send(BurstCaller.answerBytes(request), request);
  }

  /** Connects, reads and writes as far as the socket allows. */
  void onReady(ByteBuffer incoming) {
    try {
      if (key.isConnectable() && channel.finishConnect()) {
        write();
      } else {
        if (key.isReadable()) {
          read(incoming);
        }
        if (key.isValid() && key.isWritable()) {
          write();
        }
      }
    } catch (IOException e) {
      fail(String.valueOf(e.getMessage()));
    }
  }

  private void send(int wanted, byte[] bytes) {
    outgoing.add(ByteBuffer.allocate(HEAD_BYTES).putInt(bytes.length).putInt(wanted).flip());
    outgoing.add(ByteBuffer.wrap(bytes));
    if (channel.isConnected()) {
      try {
        write();
      } catch (IOException e) {
        fail(String.valueOf(e.getMessage()));
      }
    }
  }

  private void write() throws IOException {
    boolean isFull = false;
    while (!outgoing.isEmpty() && !isFull) {
      ByteBuffer[] buffers = outgoing.stream().limit(MOST_BUFFERS).toArray(ByteBuffer[]::new);
      channel.write(buffers);
      while (!outgoing.isEmpty() && !outgoing.peek().hasRemaining()) {
        outgoing.remove();
      }
      isFull = buffers[buffers.length - 1].hasRemaining();
    }
    key.interestOps(
        outgoing.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
  }

  private void read(ByteBuffer incoming) throws IOException {
    incoming.clear();
    if (channel.read(incoming) < 0) {
      fail("closed by the other side");
      return;
    }
    incoming.flip();
    while (incoming.hasRemaining() && channel.isOpen()) {
      readHead(incoming);
      int skipped = Math.min(bytesLeft, incoming.remaining());
      incoming.position(incoming.position() + skipped);
      bytesLeft -= skipped;
      if (bytesLeft == 0 && !head.hasRemaining()) {
        onFrame(head.getInt(Integer.BYTES));
        head.clear();
      }
    }
  }

  private void readHead(ByteBuffer incoming) {
    if (head.hasRemaining()) {
      while (head.hasRemaining() && incoming.hasRemaining()) {
        head.put(incoming.get());
      }
      bytesLeft = head.hasRemaining() ? 0 : head.getInt(0);
    }
  }

  private void onFrame(int wanted) throws IOException {
    if (wanted != ANSWER) {
      send(ANSWER, new byte[wanted]);
      return;
    }
    calls.remove().onEnd(BurstCaller.End.DONE);
    if (isForOneCall) {
      channel.close();
    }
  }

  private void fail(String reason) {
    isFailed = true;
    try {
      channel.close();
    } catch (IOException e) {
      System.err.println("burst: a connection did not close: " + e.getMessage());
    }
    while (!calls.isEmpty()) {
      BurstCaller.fail(calls.remove(), reason);
    }
  }
}
