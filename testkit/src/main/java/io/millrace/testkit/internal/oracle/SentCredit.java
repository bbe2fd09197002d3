package io.millrace.testkit.internal.oracle;

import io.millrace.protocol.stream.StreamWindow;
import io.millrace.protocol.transfer.InlineCost;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The first transmissions of an end of a path, and the credit granted to this end. The first limit
 * for inline messages comes with the handshake, unseen here: until the next announcement no limit
 * is checked.
 */
final class SentCredit {
  private static final int RESPONSE_FLOW = 1;
  private static final long UNTOLD = Long.MAX_VALUE;

  private final LongHashSet requests = new LongHashSet();
  // Looked up only, never walked.
  private final Map<FlowName, Flow> flows = new HashMap<>();
  private long costBytes;
  private long limitBytes = UNTOLD;

  /** A flow of a stream. */
  private record FlowName(long transfer, boolean isResponse) {}

  /** The progress of a flow. */
  private static final class Flow {
    private long segments;
    private long bytes;
    private long limitElements = StreamWindow.INITIAL_ELEMENTS;
    private long limitBytes = StreamWindow.INITIAL_BYTES;
  }

  private Flow flow(long transfer, int flags) {
    return flows.computeIfAbsent(
        new FlowName(transfer, (flags & RESPONSE_FLOW) != 0), name -> new Flow());
  }

  void onInlineLimit(long bytes) {
    limitBytes = limitBytes == UNTOLD ? bytes : Math.max(limitBytes, bytes);
  }

  void onStreamCredit(long transfer, int flags, long elements, long bytes) {
    Flow flow = flow(transfer, flags);
    flow.limitElements = Math.max(flow.limitElements, elements);
    flow.limitBytes = Math.max(flow.limitBytes, bytes);
  }

  /** Describes the fault of a sent request, or null. */
  @Nullable String request(long transfer, int headers, int payload) {
    return requests.add(transfer) ? spend(headers, payload) : null;
  }

  /**
   * Describes the fault of a sent segment, or null.
   *
   * @param end number of the element behind the segment's last element
   */
  @Nullable String segment(long transfer, int flags, long segment, long end, int bytes) {
    Flow flow = flow(transfer, flags);
    if (segment < flow.segments) {
      return null;
    }
    flow.segments = segment + 1;
    if (end > flow.limitElements) {
      return "begins element " + (end - 1) + " of a flow that may have " + flow.limitElements;
    }
    if (flow.bytes >= flow.limitBytes) {
      return "goes on with a flow of " + flow.bytes + " bytes that may have " + flow.limitBytes;
    }
    flow.bytes += bytes;
    return spend(0, bytes);
  }

  private @Nullable String spend(int headers, int payload) {
    costBytes += InlineCost.of(headers, payload);
    return costBytes <= limitBytes
        ? null
        : "has sent inline messages for " + costBytes + " bytes, and may for " + limitBytes;
  }
}
