package io.millrace.protocol.congestion;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Many flows with a few short transfers each to a single receiver. The receiver's grants bound the
 * bytes in flight; the flow with the longest wait has the next grant.
 */
final class GrantedTransfers {
  static final int TRANSFER_BYTES = 16 << 10;

  final PathModel path;
  final List<ModelFlow> flows = new ArrayList<>();

  /** Durations from the grant to the arrival of the last byte, ns. */
  final List<Long> durationsNs = new ArrayList<>();

  long doneNs;

  private final ArrayDeque<ModelFlow> waiting = new ArrayDeque<>();
  private final long budgetBytes;
  private long grantedBytes;
  private int transfersLeft;

  GrantedTransfers(PathModel path, long budgetBytes) {
    this.path = path;
    this.budgetBytes = budgetBytes;
  }

  /**
   * Runs this number of transfers of each flow; a flow asks for the next grant right after a
   * transfer's end.
   */
  void run(int flowCount, int transfers, LongFunction<CongestionController> controller) {
    transfersLeft = flowCount * transfers;
    for (int i = 0; i < flowCount; i++) {
      flows.add(path.flow(controller.apply(i), BbrLab.DATAGRAM));
    }
    for (int round = 0; round < transfers; round++) {
      waiting.addAll(flows);
    }
    grant();
    path.run(() -> transfersLeft == 0, 600 * BbrLab.SECOND);
    doneNs = path.nowNs;
  }

  private void grant() {
    while (!waiting.isEmpty() && grantedBytes + TRANSFER_BYTES <= budgetBytes) {
      final ModelFlow flow = waiting.remove();
      grantedBytes += TRANSFER_BYTES;
      path.at(path.nowNs + path.oneWayNs, () -> begin(flow));
    }
  }

  private void begin(ModelFlow flow) {
    final long startNs = path.nowNs;
    final long wanted = flow.receivedBytes + flow.waitingBytes + TRANSFER_BYTES;
    flow.onReceived =
        () -> {
          if (flow.receivedBytes >= wanted) {
            flow.onReceived = () -> {};
            durationsNs.add(path.nowNs - startNs);
            grantedBytes -= TRANSFER_BYTES;
            transfersLeft--;
            grant();
          }
        };
    flow.offer(TRANSFER_BYTES);
  }

  /** The duration that a hundredth of the transfers exceeded. */
  long p99Ns() {
    final List<Long> sorted = durationsNs.stream().sorted().toList();
    return sorted.get(sorted.size() * 99 / 100);
  }

  long medianNs() {
    return durationsNs.stream().sorted().toList().get(durationsNs.size() / 2);
  }

  /** The end of all transfers at a bottleneck without a pause. */
  long idealNs() {
    return (long) (path.carriedBytes * 1e9 / path.bytesPerSecond);
  }
}
