package io.millrace.event;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Turns the lacks of drivers and workers into a single event for each missing thing of the node,
 * and says how the node works without the thing; {@code docs/operations.md} has the same table. Any
 * thread; control plane.
 */
final class ReducedModes {
  /** The largest number of things to tell; reasons may be any text of a system. */
  private static final int MOST = 256;

  private static final String SEPARATOR = ": ";

  private final Sink sink;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /** Is told of each missing thing once. */
  @FunctionalInterface
  interface Sink {
    void onResourceMissing(String resource, String reason, String mode);
  }

  ReducedModes(Sink sink) {
    this.sink = sink;
  }

  void onDriverPassedOver(String driver, String reason) {
    onResourceMissing("driver " + driver, reason, "the next best driver is used");
  }

  void onPinFailed(int core, String reason) {
    onResourceMissing("core " + core, reason, "the worker runs unpinned");
  }

  /** A setting without effect is no lack and is not told. */
  void onDegraded(String what) {
    int end = what.indexOf(SEPARATOR);
    String resource = end < 0 ? what : what.substring(0, end);
    String reason = end < 0 ? "" : what.substring(end + SEPARATOR.length());
    if (isLack(resource)) {
      onResourceMissing(resource, reason, mode(resource));
    }
  }

  /** The event of the refusal has the words of the system and the remedy. */
  void onRegistrationRefused(String memory, String cause) {
    onResourceMissing(memory, "not registered: " + cause, mode(memory));
  }

  void onResourceMissing(String resource, String reason, String mode) {
    if (told.size() < MOST && told.add(resource + SEPARATOR + reason)) {
      sink.onResourceMissing(resource, reason, mode);
    }
  }

  private static boolean isLack(String resource) {
    return !resource.startsWith("receive loss")
        && !resource.equals("bindAddress")
        && !resource.equals("maxDatagramBytes")
        && !resource.equals("maxTrainPackets");
  }

  private static String mode(String resource) {
    return switch (resource) {
      case "SO_RCVBUF", "SO_SNDBUF", "receiveBufferBytes" -> "the smaller buffer is used";
      case "ECN", "ecn", "IP_TOS" -> "congestion shows as loss only";
      case "MTU discovery", "IP_DONTFRAGMENT" -> "datagrams may be fragmented on the way";
      case "error queue" -> "peers that are gone are found out by their silence";
      case "GSO" -> "packets of a train are sent one by one";
      case "GRO" -> "packets of a train are received one by one";
      case "source ports" -> "bulk leaves by fewer source ports";
      case "receive regions", "send buffers" -> "bodies travel in messages";
      case "packet slots" -> "small packets travel in messages";
      case "near memory" -> "memory of a far node is used";
      case "writes" -> "records that come too early are asked for again";
      default -> "the node goes on without";
    };
  }
}
