package io.millrace.path.call;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.causality.SlotToken;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.protocol.causality.ArrivedNumbers;
import io.millrace.protocol.causality.HeldTransfer;
import io.millrace.wire.CausalPrefix;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a peer with dependencies or dependents, on one path. Reads the prefixes of the
 * calls, and says which calls may begin; rules D-4 to D-8. On the worker's thread.
 */
final class ServedCausality {
  private final CausalityGroup group;
  private final CausalityGroup.PeerSlots slots;
  private final CausalPrefix prefix = new CausalPrefix();
  private final ArrivedNumbers numbers = new ArrivedNumbers();
  private final Long2ObjectHashMap<Served> open = new Long2ObjectHashMap<>();

  /** A call not yet answered: the number, the peer's token, and the token of this node. */
  private record Served(long number, long token, @Nullable SlotToken local) {}

  /** The causality of a path of this peer. */
  ServedCausality(CausalityGroup group, String peer) {
    this.group = group;
    slots = group.open(peer);
  }

  /**
   * A new request has come, with a prefix at {@code offset} in front of the headers.
   *
   * @return length of the prefix
   * @throws ProtocolViolationException if the prefix is malformed or its content impossible
   */
  int onArrived(long transferId, SegmentBuffer buffer, int offset, int headersLength) {
    if (!prefix.wrap(buffer, offset, headersLength)) {
      throw new ProtocolViolationException("the dependencies of a request are malformed");
    }
    if (!numbers.onFloor(prefix.floor(), prefix.number())) {
      throw new ProtocolViolationException("number " + prefix.number() + " of a request is wrong");
    }
    SlotToken local = group.bindServed(slots, prefix.originNode(), prefix.originToken());
    open.put(transferId, new Served(prefix.number(), prefix.token(), local));
    return prefix.length();
  }

  /** The token of the call of this id at this node, or null. */
  @Nullable SlotToken token(long transferId) {
    Served served = open.get(transferId);
    return served == null ? null : served.local();
  }

  /** Whether the latest request names other calls. */
  boolean hasDependencies() {
    return prefix.dependencies() > 0;
  }

  /**
   * The latest request waits for the calls named in the prefix.
   *
   * @return whether the request must wait, or has failed already
   */
  boolean hold(HeldTransfer transfer) {
    for (int index = 0; index < prefix.dependencies(); index++) {
      boolean isNamed =
          numbers.await(
              transfer, prefix.dependency(index), prefix.isCascading(index), prefix.number());
      if (!isNamed) {
        throw new ProtocolViolationException(
            "a request waits for number " + prefix.dependency(index));
      }
    }
    return transfer.isWaiting() || transfer.root() != 0;
  }

  /** A transfer is no longer wanted. */
  void abandon(HeldTransfer transfer) {
    numbers.abandon(transfer);
  }

  /** A call was answered, or ended in another way; does nothing after the first report. */
  void onEnded(long transferId, boolean isSuccess, long root) {
    Served served = open.remove(transferId);
    if (served == null) {
      return;
    }
    if (served.number() != 0) {
      numbers.onEnded(served.number(), isSuccess, root == 0 ? served.token() : root);
    }
    SlotToken local = served.local();
    if (local != null) {
      group.endServed(slots, local, isSuccess);
    }
  }

  /** The transfer of this number will not come. */
  void onGivenUp(long number) {
    if (number != 0) {
      numbers.onEnded(number, /* isSuccess= */ false, CausalPrefix.UNKNOWN_ROOT);
    }
  }

  /** Takes the next transfer free of its dependencies, or null. */
  @Nullable HeldTransfer poll() {
    return numbers.poll();
  }

  /** The path has ended. */
  void close() {
    for (Served served : open.values()) {
      SlotToken local = served.local();
      if (local != null) {
        group.endServed(slots, local, false);
      }
    }
    open.clear();
    group.close(slots);
  }
}
