package io.millrace.samples.gossip;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCall;
import io.millrace.api.WorkerCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;

/**
 * Votes for a leader's proposals, and has the blocks of all heights.
 *
 * <p>A proposal is served on the worker's thread, with an empty and immediate response. The vote
 * goes back as a call of its own, to the address of the proposer. Proposal and vote are 40 bytes
 * each, so each is an inline message. A block is asked for by an ordinary unary call, with a
 * handler on the executor.
 */
public final class Validator implements WorkerCompletion {
  /** A leader proposes, inline; the answer is empty. */
  static final Route<ByteString, ByteString> PROPOSAL = Route.bytes("gossip-proposal");

  /** A validator votes, inline; the answer is empty. */
  static final Route<ByteString, ByteString> VOTE = Route.bytes("gossip-vote");

  /** Asks for this number of bytes of the block of a height: a long and an int, big-endian. */
  static final Route<ByteString, ByteString> BLOCK = Route.bytes("gossip-block");

  /** The largest number of bytes in a block. */
  public static final int MOST_BLOCK_BYTES = 256 << 10;

  /** Votes go ahead of all other messages between two nodes. */
  static final TransferOptions URGENT = TransferOptions.DEFAULTS.withPriority(0);

  private final Transport transport;
  private final Duration delay;
  private final Executor later;
  private final ConcurrentHashMap<String, Peer> leaders = new ConcurrentHashMap<>();
  private final AtomicLong failedVotes = new AtomicLong();

  /**
   * Creates a validator that answers late.
   *
   * @param delay the delay of votes and answers, to stand for a longer way; zero for validators at
   *     a real distance
   */
  Validator(Transport transport, Duration delay) {
    this.transport = transport;
    this.delay = delay;
    later =
        delay.isZero()
            ? Runnable::run
            : CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Serves a node that votes from now on, as long as the node lives. */
  public static Validator serve(Transport transport) {
    return new Validator(transport, Duration.ZERO).serve();
  }

  Validator serve() {
    transport.serveOnWorker(PROPOSAL, this::onProposal);
    transport.serve(BLOCK, this::block);
    return this;
  }

  /** Runs on the worker's thread. The call is not to be kept: values needed later are copied. */
  private void onProposal(WorkerCall call) {
    if (call.payloadLength() != Vote.BYTES) {
      throw new IllegalArgumentException("a proposal has " + Vote.BYTES + " bytes");
    }
    String leader = call.peer();
    Vote vote = Vote.of(Vote.heightOf(call.buffer(), call.payloadOffset()));
    if (!vote.isEncodedAs(call.buffer(), call.payloadOffset(), call.payloadLength())) {
      throw new IllegalArgumentException("a proposal does not match the block of its height");
    }
    call.reply(0, 0);
    Peer to = leaders.computeIfAbsent(leader, transport::peer);
    later.execute(() -> to.unaryOnWorker(VOTE, vote.encode(), URGENT, this));
  }

  private CompletableFuture<ByteString> block(ByteString request) {
    ByteBuffer question = request.asByteBuffer();
    long height = question.getLong();
    int bytes = question.getInt();
    if (bytes < 0 || bytes > MOST_BLOCK_BYTES) {
      throw new IllegalArgumentException("a block has 0 to " + MOST_BLOCK_BYTES + " bytes");
    }
    ByteString block = ByteString.fromArrayUnsafe(Vote.block(height, bytes));
    return delay.isZero()
        ? CompletableFuture.completedFuture(block)
        : CompletableFuture.supplyAsync(() -> block, later);
  }

  /** A question for {@link #BLOCK}. */
  static ByteString question(long height, int bytes) {
    return ByteString.fromArrayUnsafe(
        ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(height).putInt(bytes).array());
  }

  /** The leader has the vote. */
  @Override
  public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {}

  /** The leader may not have the vote. The leader proposes again if the vote matters. */
  @Override
  public void onFailure(CallException failure) {
    failedVotes.incrementAndGet();
  }

  /** Returns the number of votes without a confirmed arrival. */
  public long failedVotes() {
    return failedVotes.get();
  }
}
