package io.millrace.samples.bench.floor;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.Endpoint;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.samples.bench.floor.FloorFrame.Counted;
import java.util.concurrent.TimeUnit;

/**
 * Sends trains as fast as the receiver answers, within a window that the receiver's socket buffer
 * holds. Bytes lost for want of room are not sent again, and do not count. Runs on the duty thread.
 */
final class FloorSender implements CompletionHandler {
  /** The most bytes on the way at once. */
  static final int WINDOW_BYTES = 1 << 20;

  private static final int SMALL_WINDOW_BYTES = 128 << 10;
  private static final int POLL_LIMIT = 16;
  private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(5);

  private final Endpoint endpoint;
  private final int server;
  private final int windowBytes;
  private final FloorCipher cipher = new FloorCipher();
  private final byte[] sealed = new byte[FloorCipher.SEALED_BYTES];
  private int sealedAt = FloorCipher.SEALED_BYTES;
  private long record;
  private long position;
  private long questions;
  private long answered;
  private Counted counted = Counted.NOTHING;
  private long sentBytes;
  private long lostBytes;
  private long busyNs;
  private long sealNs;
  private long openingNs;

  FloorSender(Endpoint endpoint, int server) {
    this.endpoint = endpoint;
    this.server = server;
    windowBytes = FloorNode.hasFullBuffer(endpoint) ? WINDOW_BYTES : SMALL_WINDOW_BYTES;
  }

  /** Sends for {@code durationNs}, and at most {@code mostBytes}. */
  void send(int kind, int datagramBytes, long durationNs, long mostBytes) {
    ask(FloorFrame.RESET);
    sentBytes = 0;
    lostBytes = 0;
    busyNs = 0;
    sealNs = 0;
    Capabilities limits = endpoint.capabilities();
    int packets = Math.min(limits.maxTrainPackets(), limits.maxTrainBytes() / datagramBytes);
    int payload = packets * (datagramBytes - FloorFrame.HEADER_BYTES);
    long startNs = System.nanoTime();
    long nowNs = startNs;
    while (nowNs - startNs < durationNs && sentBytes < mostBytes) {
      if (sentBytes - lostBytes - counted.bytes() + payload > windowBytes) {
        awaitRoom(nowNs, payload);
      } else {
        train(kind, packets, datagramBytes);
      }
      nowNs = System.nanoTime();
    }
    ask(FloorFrame.QUESTION);
  }

  /** Seals the record again and again; returns ns per byte. */
  double sealAlone(long durationNs) {
    long startNs = System.nanoTime();
    long records = 0;
    sealNs = 0;
    while (sealNs < durationNs) {
      cipher.seal(record++, sealed);
      records++;
      sealNs = System.nanoTime() - startNs;
    }
    sealedAt = FloorCipher.SEALED_BYTES;
    position = record * FloorCipher.SEALED_BYTES;
    return (double) sealNs / (records * FloorCipher.RECORD_BYTES);
  }

  /** Lets the server open alone; {@link #awaitOpened} waits for the end of the opening. */
  void startOpening(long durationNs) {
    questions++;
    openingNs = durationNs;
    post(FloorFrame.OPEN_ALONE);
  }

  /** Waits until the server has opened alone. */
  void awaitOpened() {
    awaitAnswer(FloorFrame.OPEN_ALONE);
  }

  private void ask(int kind) {
    questions++;
    awaitAnswer(kind);
  }

  /** Asks again after the loss of a question or answer. */
  private void awaitAnswer(int kind) {
    long startNs = System.nanoTime();
    long askedNs = startNs - STALL_NS;
    while (answered != questions) {
      long nowNs = System.nanoTime();
      if (nowNs - startNs > GIVE_UP_NS) {
        throw new IllegalStateException("the receiver does not answer");
      }
      if (nowNs - askedNs >= STALL_NS) {
        askedNs = nowNs;
        post(kind);
      }
      endpoint.poll(this, POLL_LIMIT);
    }
  }

  Counted counted() {
    return counted;
  }

  long sentBytes() {
    return sentBytes;
  }

  /** Time spent filling and posting trains, sealing left out. */
  long sendNs() {
    return busyNs - sealNs;
  }

  long sealNs() {
    return sealNs;
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    long header = buffer.getLong(offset);
    if (length != FloorFrame.ANSWER_BYTES || FloorFrame.kind(header) != FloorFrame.ANSWER) {
      return;
    }
    answered = FloorFrame.argument(header);
    counted =
        new Counted(
            buffer.getLong(offset + Long.BYTES),
            buffer.getLong(offset + 2 * Long.BYTES),
            buffer.getLong(offset + 3 * Long.BYTES),
            buffer.getLong(offset + 4 * Long.BYTES),
            buffer.getLong(offset + 5 * Long.BYTES));
  }

  private void awaitRoom(long sinceNs, int payload) {
    while (sentBytes - lostBytes - counted.bytes() + payload > windowBytes) {
      endpoint.poll(this, POLL_LIMIT);
      if (System.nanoTime() - sinceNs > STALL_NS) {
        ask(FloorFrame.QUESTION);
        // The bytes missing in the answer have been dropped: a single socket keeps the order.
        lostBytes = sentBytes - counted.bytes();
        return;
      }
    }
  }

  private void train(int kind, int packets, int datagramBytes) {
    long startNs = System.nanoTime();
    SendBuffer buffer = endpoint.acquireSendBuffer();
    if (buffer == null) {
      endpoint.poll(this, POLL_LIMIT);
      return;
    }
    int payload = datagramBytes - FloorFrame.HEADER_BYTES;
    SegmentBuffer into = buffer.buffer();
    for (int i = 0; i < packets; i++) {
      int at = i * datagramBytes;
      if (kind == FloorFrame.RECORDS) {
        into.putLong(at, FloorFrame.header(kind, position));
        fill(into, at + FloorFrame.HEADER_BYTES, payload);
      } else {
        into.putLong(at, FloorFrame.header(kind, 0));
      }
    }
    endpoint.postSend(server, buffer, packets * datagramBytes, datagramBytes, 0);
    endpoint.flush();
    sentBytes += (long) packets * payload;
    busyNs += System.nanoTime() - startNs;
  }

  private void fill(SegmentBuffer into, int offset, int length) {
    int filled = 0;
    while (filled < length) {
      if (sealedAt == FloorCipher.SEALED_BYTES) {
        long startNs = System.nanoTime();
        cipher.seal(record++, sealed);
        sealNs += System.nanoTime() - startNs;
        sealedAt = 0;
      }
      int part = Math.min(length - filled, FloorCipher.SEALED_BYTES - sealedAt);
      into.putBytes(offset + filled, sealed, sealedAt, part);
      sealedAt += part;
      filled += part;
    }
    position += length;
  }

  private void post(int kind) {
    SendBuffer buffer = endpoint.acquireSendBuffer();
    if (buffer == null) {
      return;
    }
    byte[] address = endpoint.localAddress().bytes();
    int length = FloorFrame.CLIENT_OFFSET + Integer.BYTES + address.length;
    SegmentBuffer into = buffer.buffer();
    into.putLong(0, FloorFrame.header(kind, questions));
    into.putLong(FloorFrame.HEADER_BYTES, openingNs);
    into.putInt(FloorFrame.CLIENT_OFFSET, address.length);
    into.putBytes(FloorFrame.CLIENT_OFFSET + Integer.BYTES, address);
    endpoint.postSend(server, buffer, length, length, 0);
    endpoint.flush();
  }
}
