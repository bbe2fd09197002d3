package io.millrace.samples.served;

import io.millrace.api.CallContext;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.util.ByteString;

/**
 * The route for chains of calls. The route runs on the executor, and the executor's threads bring
 * calls into any order without a demand for order. The route fails each call that is not the next
 * call of its chain. Any thread.
 */
public final class ServedChains {
  /**
   * A request begins with the number of its chain, a big-endian long, its own number in the chain,
   * and the length of the chain, two ints. The answer is the number of executed calls of the chain,
   * an int.
   */
  public static final Route<ByteString, ByteString> CHAIN = Route.bytes("chain");

  /** The shortest request. */
  public static final int LEAST_BYTES = Long.BYTES + 2 * Integer.BYTES;

  /** The number of chains known at once; beyond this number the oldest chain is forgotten. */
  private static final int MOST_CHAINS = 1_024;

  private final SequencedMap<Chain, Integer> executed = new LinkedHashMap<>();

  private record Chain(String peer, long number) {}

  static void serve(Transport transport) {
    ServedChains chains = new ServedChains();
    transport.serve(CHAIN, chains::onCall);
  }

  /** A request of this number of bytes. */
  public static ByteString request(long chain, int number, int count, int length) {
    byte[] bytes = new byte[length];
    ByteBuffer.wrap(bytes).putLong(chain).putInt(number).putInt(count);
    return ByteString.fromArrayUnsafe(bytes);
  }

  private CompletionStage<ByteString> onCall(ByteString request, CallContext context) {
    return CompletableFuture.completedFuture(answer(context.peer(), request));
  }

  /**
   * Executes a call of this peer and returns the number of executed calls of its chain, an int.
   *
   * @throws IllegalArgumentException if the request is shorter than {@link #LEAST_BYTES}
   * @throws IllegalStateException if another call of the chain was due
   */
  public ByteString answer(String peer, ByteString request) {
    if (request.length() < LEAST_BYTES) {
      throw new IllegalArgumentException("chain wants a long and two ints");
    }
    ByteBuffer fields = request.asByteBuffer();
    Chain chain = new Chain(peer, fields.getLong());
    int number = fields.getInt();
    int due = take(chain, number, fields.getInt());
    if (number != due) {
      throw new IllegalStateException(
          "call " + number + " of a chain came when call " + due + " was due");
    }
    return ByteString.fromArrayUnsafe(ByteBuffer.allocate(Integer.BYTES).putInt(due + 1).array());
  }

  /** Returns the number of the due call; a chain ends with its last call, and with a wrong call. */
  private synchronized int take(Chain chain, int number, int count) {
    Integer known = executed.get(chain);
    int due = known == null ? 0 : known;
    if (number != due || due + 1 == count) {
      executed.remove(chain);
    } else {
      executed.put(chain, due + 1);
      if (executed.size() > MOST_CHAINS) {
        executed.pollFirstEntry();
      }
    }
    return due;
  }
}
