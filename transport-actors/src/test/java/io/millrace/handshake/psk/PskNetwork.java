package io.millrace.handshake.psk;

import io.millrace.crypto.DatagramHandshake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Carries datagrams between nodes in virtual time, as a rule of the test decides. */
final class PskNetwork {
  static final long MS = 1_000_000L;

  /** The delay of each copy of a datagram; without a delay no copy arrives. */
  interface Rule {
    long[] delaysNs(int index, PskNode.Sent sent);
  }

  private record Arrival(long atNs, long order, int from, PskNode.Sent sent) {}

  final List<PskNode> nodes;
  final List<PskNode.Sent> transcript = new ArrayList<>();
  long nowNs = 7_000 * MS;
  private final PriorityQueue<Arrival> underWay =
      new PriorityQueue<>(
          Comparator.comparingLong(Arrival::atNs).thenComparingLong(Arrival::order));
  private Rule rule = (index, sent) -> new long[] {MS};

  PskNetwork(PskNode... nodes) {
    this.nodes = List.of(nodes);
  }

  PskNetwork rule(Rule next) {
    rule = next;
    return this;
  }

  /** Tokens are the numbers of the nodes. */
  PskNetwork connect(int from, int to) {
    nodes.get(from).connect(to, nowNs);
    collect(from, nodes.get(from).poll());
    return this;
  }

  private void collect(int from, List<PskNode.Sent> datagrams) {
    for (PskNode.Sent sent : datagrams) {
      int index = transcript.size();
      transcript.add(sent);
      for (long delayNs : rule.delaysNs(index, sent)) {
        underWay.add(new Arrival(nowNs + delayNs, underWay.size() + index * 10L, from, sent));
      }
    }
  }

  /** Runs all events within this time. */
  PskNetwork run(long durationNs) {
    long endNs = nowNs + durationNs;
    while (hasStepped(endNs)) {
      if (transcript.size() > 100_000) {
        throw new AssertionError("the exchange does not come to rest");
      }
    }
    nowNs = endNs;
    return this;
  }

  private boolean hasStepped(long endNs) {
    long nextNs = underWay.isEmpty() ? DatagramHandshake.NO_DEADLINE : underWay.peek().atNs();
    for (PskNode node : nodes) {
      nextNs = PskTimes.earlier(nextNs, node.handshake.nextDeadlineNs());
    }
    if (nextNs == DatagramHandshake.NO_DEADLINE || nextNs - endNs > 0) {
      return false;
    }
    nowNs = Math.max(nowNs, nextNs);
    if (!underWay.isEmpty() && underWay.peek().atNs() <= nowNs) {
      Arrival arrival = underWay.remove();
      int to = (int) arrival.sent().toToken();
      collect(to, nodes.get(to).receive(arrival.sent().bytes(), arrival.from(), nowNs));
    } else {
      for (int i = 0; i < nodes.size(); i++) {
        nodes.get(i).handshake.onDeadline(nowNs);
        collect(i, nodes.get(i).poll());
      }
    }
    return true;
  }
}
