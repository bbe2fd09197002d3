package io.millrace.samples.gossip;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Registration;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCall;
import io.millrace.api.WorkerCompletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;

/**
 * Proposes one height after the other to all validators at once, and counts their votes. A single
 * thread drives the leader; votes come on the worker's thread.
 */
public final class Leader implements AutoCloseable {
  private static final long CONNECT_SECONDS = 30;
  private static final long ROUND_SECONDS = 10;
  private static final int DIGITS = 3;

  private final List<Seat> seats;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Peer> peers = new ArrayList<>();
  private final Registration votes;
  private volatile Tally tally = new Tally(Vote.of(0), 0, 0);

  /**
   * A validator, from the leader's view.
   *
   * @param address its handshake address
   * @param latency its distance
   */
  public record Seat(String address, LatencyClass latency) {}

  /**
   * The result of some rounds.
   *
   * @param rounds the number of rounds
   * @param votes the number of votes that came
   * @param failed the number of votes that did not come
   * @param quorumNs from the proposal to two thirds of the votes and one more, a value for a round
   * @param allNs from the proposal to the last vote, a value for each complete round
   * @param ofClass from the proposal to a vote, by class
   */
  public record Votes(
      int rounds,
      long votes,
      long failed,
      Histogram quorumNs,
      Histogram allNs,
      Map<LatencyClass, Histogram> ofClass) {}

  /** Creates a leader of these validators, and takes their votes from now on. */
  public Leader(Transport transport, List<Seat> seats) {
    List<Seat> numeric = new ArrayList<>();
    for (Seat seat : seats) {
      Peer peer = transport.peer(seat.address());
      numbers.put(peer.address(), peers.size());
      numeric.add(new Seat(peer.address(), seat.latency()));
      peers.add(peer);
    }
    this.seats = List.copyOf(numeric);
    votes = transport.serveOnWorker(Validator.VOTE, this::onVote);
  }

  /** Returns the validators, with numeric addresses. */
  public List<Seat> seats() {
    return seats;
  }

  /** Returns the number of votes that decide: two thirds, and one. */
  public static int quorum(int validators) {
    return validators * 2 / 3 + 1;
  }

  /**
   * Shakes hands with all validators, at once.
   *
   * @return the reasons for missing paths, by address; empty if all validators are reached
   */
  public Map<String, String> connect() throws InterruptedException, TimeoutException {
    Map<String, String> failures = new LinkedHashMap<>();
    var connects = peers.stream().map(Peer::connect).toList();
    for (int i = 0; i < connects.size(); i++) {
      try {
        connects.get(i).get(CONNECT_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        failures.put(
            peers.get(i).address(), String.valueOf((cause == null ? e : cause).getMessage()));
      }
    }
    return failures;
  }

  /** Runs on the worker's thread. The handshake authenticates the voter: a vote carries no name. */
  private void onVote(WorkerCall call) {
    long nowNs = System.nanoTime();
    Tally current = tally;
    Integer validator = numbers.get(call.peer());
    boolean isRight =
        current.wanted().isEncodedAs(call.buffer(), call.payloadOffset(), call.payloadLength());
    call.reply(0, 0);
    if (validator != null && isRight) {
      current.onVote(validator, nowNs);
    }
  }

  /**
   * Lets the validators vote for this number of heights, each after the decision of the height
   * before.
   */
  public Votes run(long firstHeight, int rounds) throws InterruptedException {
    Votes result =
        new Votes(rounds, 0, 0, new Histogram(DIGITS), new Histogram(DIGITS), histograms());
    long came = 0;
    for (int i = 0; i < rounds; i++) {
      Tally round = round(firstHeight + i);
      long[] timesNs = round.sortedNs();
      came += timesNs.length;
      int quorum = quorum(peers.size());
      if (timesNs.length >= quorum) {
        result.quorumNs().recordValue(timesNs[quorum - 1]);
      }
      if (timesNs.length == peers.size()) {
        result.allNs().recordValue(timesNs[timesNs.length - 1]);
      }
      record(round, result.ofClass());
    }
    long wanted = (long) rounds * peers.size();
    return new Votes(
        rounds, came, wanted - came, result.quorumNs(), result.allNs(), result.ofClass());
  }

  private void record(Tally round, Map<LatencyClass, Histogram> ofClass) {
    for (int i = 0; i < peers.size(); i++) {
      if (round.voteNs(i) > 0) {
        of(ofClass, i).recordValue(round.voteNs(i));
      }
    }
  }

  /** Proposes a height; the tally fills as votes come. The tally before gets no more votes. */
  Tally propose(long height) {
    Vote vote = Vote.of(height);
    Tally round = new Tally(vote, peers.size(), System.nanoTime());
    tally = round;
    ByteString proposal = vote.encode();
    for (int i = 0; i < peers.size(); i++) {
      peers
          .get(i)
          .unaryOnWorker(Validator.PROPOSAL, proposal, Validator.URGENT, new Proposed(round, i));
    }
    return round;
  }

  private Tally round(long height) throws InterruptedException {
    Tally round = propose(height);
    try {
      round.complete().get(ROUND_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // A vote was lost by its sender: the vote counts as failed, and the next height goes on.
      return round;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a tally does not fail", e);
    }
    return round;
  }

  /** A validator without the proposal will not vote. */
  private record Proposed(Tally round, int validator) implements WorkerCompletion {
    @Override
    public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {}

    @Override
    public void onFailure(CallException failure) {
      round.onFailure(validator);
    }
  }

  /**
   * Asks all validators for blocks, each validator for a single block at a time, and compares the
   * blocks.
   *
   * @param bytes the size of each block; a block too large for a packet comes as a body
   * @return from the question to the block, ns, by class
   * @throws IllegalStateException if a block has wrong bytes
   */
  public Map<LatencyClass, Histogram> requestBlocks(int ofEach, int bytes)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<LatencyClass, Histogram> times = histograms();
    for (int height = 0; height < ofEach; height++) {
      ByteString question = Validator.question(height, bytes);
      byte[] wanted = Vote.block(height, bytes);
      long[] endsNs = new long[peers.size()];
      List<CompletableFuture<ByteString>> calls = new ArrayList<>();
      long startNs = System.nanoTime();
      for (int i = 0; i < peers.size(); i++) {
        int validator = i;
        calls.add(
            peers
                .get(i)
                .unary(Validator.BLOCK, question)
                .thenApply(
                    block -> {
                      endsNs[validator] = System.nanoTime();
                      return block;
                    }));
      }
      for (int i = 0; i < calls.size(); i++) {
        ByteString block = calls.get(i).get(ROUND_SECONDS, TimeUnit.SECONDS);
        if (!Arrays.equals(wanted, block.toArrayUnsafe())) {
          throw new IllegalStateException(seats.get(i).address() + " sent another block");
        }
        of(times, i).recordValue(endsNs[i] - startNs);
      }
    }
    return times;
  }

  private Histogram of(Map<LatencyClass, Histogram> histograms, int validator) {
    return timesOf(histograms, seats.get(validator).latency());
  }

  /** Returns the times of a class. */
  public static Histogram timesOf(Map<LatencyClass, Histogram> all, LatencyClass latency) {
    return Objects.requireNonNull(all.get(latency), "every class has times");
  }

  private static Map<LatencyClass, Histogram> histograms() {
    Map<LatencyClass, Histogram> all = new EnumMap<>(LatencyClass.class);
    for (LatencyClass each : LatencyClass.values()) {
      all.put(each, new Histogram(DIGITS));
    }
    return all;
  }

  /** Takes no more votes. The transport belongs to the caller. */
  @Override
  public void close() {
    votes.close();
  }
}
