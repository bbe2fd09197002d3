package io.millrace.testkit.internal.driver;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.SendBuffer;
import java.util.function.BooleanSupplier;

/** An endpoint and the record of its reports, driven by the test's own thread. */
public final class Node implements AutoCloseable {
  private static final long PATIENCE_NS = 20_000_000_000L;
  private static final int POLL_LIMIT = 64;

  private final Endpoint endpoint;
  private final RecordingHandler record = new RecordingHandler();

  /** Takes over {@code endpoint}. */
  public Node(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** The endpoint. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** The reports of the endpoint. */
  public RecordingHandler record() {
    return record;
  }

  /** The destination number for {@code other}. */
  public int resolve(Node other) throws DriverException {
    return endpoint.resolve(other.endpoint.localAddress());
  }

  /** Acquires a buffer, fills it with the datagrams from {@code first} on, and posts it. */
  public void post(int destination, long first, int length, int segmentLength, long context) {
    SendBuffer buffer = endpoint.acquireSendBuffer();
    assertNotNull(buffer, "a free send buffer");
    Datagrams.writeTrain(buffer.buffer(), first, length, segmentLength);
    endpoint.postSend(destination, buffer, length, segmentLength, context);
  }

  /** Posts the datagram {@code first} from a source port. */
  public void post(int sourcePort, int destination, long first, int length) {
    SendBuffer buffer = endpoint.acquireSendBuffer();
    assertNotNull(buffer, "a free send buffer");
    Datagrams.writeTrain(buffer.buffer(), first, length, length);
    endpoint.postSend(sourcePort, destination, buffer, length, length, 1);
  }

  /** Flushes and polls once. */
  public int turn() {
    endpoint.flush();
    return endpoint.poll(record, POLL_LIMIT);
  }

  /** Gives each node turns until {@code done}; false if the wait takes too long for any hope. */
  public static boolean turnUntil(BooleanSupplier done, Node... nodes) {
    long startNs = System.nanoTime();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - startNs > PATIENCE_NS) {
        return false;
      }
      int work = 0;
      for (Node node : nodes) {
        work += node.turn();
      }
      if (work == 0) {
        Thread.onSpinWait();
      }
    }
    return true;
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
