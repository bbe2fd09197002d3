package io.millrace.samples.bench;

import io.millrace.samples.bench.aeron.AeronPeer;
import io.millrace.samples.bench.floor.FloorPeer;
import io.millrace.samples.bench.floor.FloorRttPeer;
import io.millrace.samples.bench.grpc.GrpcPeer;
import io.millrace.samples.bench.millrace.MillracePeer;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.rsocket.RSocketPeer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The transports that {@code millrace bench} knows. Transports of the family {@link
 * BenchPeer#MILLRACE} take part in every run; the report compares every other transport with the
 * transport of exactly that name.
 */
public final class PeerCatalog {
  /** The handshake of Millrace's nodes unless the command line names another handshake. */
  public static final String USUAL_HANDSHAKE = "tls";

  private static final List<BenchPeer> PEERS =
      Stream.of(
              MillracePeer.usual(USUAL_HANDSHAKE),
              MillracePeer.observed(USUAL_HANDSHAKE),
              List.of(
                  new AeronPeer("aeron-mtu1408", 1408),
                  new AeronPeer("aeron-mtu8k", 8192),
                  new GrpcPeer("grpc", true),
                  new GrpcPeer("grpc-plaintext", false),
                  new RSocketPeer(),
                  new FloorPeer("floor-pieces", false),
                  new FloorPeer("floor-pipelined", true),
                  new FloorRttPeer()))
          .flatMap(List::stream)
          .toList();

  private PeerCatalog() {}

  /** The variants that {@code name} stands for: the variants of a family, or a single variant. */
  public static List<BenchPeer> find(String name) {
    return PEERS.stream()
        .filter(peer -> peer.name().equals(name) || peer.family().equals(name))
        .toList();
  }

  /** The peer of exactly this name. */
  public static BenchPeer variant(String name) {
    Optional<BenchPeer> found = PEERS.stream().filter(peer -> peer.name().equals(name)).findFirst();
    return found.orElseThrow(() -> new IllegalArgumentException("no such peer: " + name));
  }

  /** The names that {@code --against} accepts, for messages. */
  public static String names() {
    return PEERS.stream()
        .flatMap(peer -> Stream.of(peer.family(), peer.name()))
        .distinct()
        .filter(name -> !name.equals(BenchPeer.MILLRACE))
        .collect(Collectors.joining(", "));
  }
}
