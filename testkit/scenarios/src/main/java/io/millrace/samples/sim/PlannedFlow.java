package io.millrace.samples.sim;

import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;

/**
 * A flow of a planned stream, at both its ends. Gives the elements, and checks that they come in
 * order, each once, without a gap before the end. Also checks that the demand stays within the
 * elements taken and the window. Simulation thread only.
 */
final class PlannedFlow {
  /** The headers, and the elements in hand of the stages beside the transport's stages. */
  private static final int IN_HAND = 4;

  private final SimRun run;
  private final StreamPlans plans;
  private final PlannedStream stream;
  private final boolean isResponse;
  private final Pattern pattern;
  private final int window;
  private int given;
  private int taken;

  PlannedFlow(
      SimRun run,
      StreamPlans plans,
      PlannedStream stream,
      boolean isResponse,
      Pattern pattern,
      int window) {
    this.run = run;
    this.plans = plans;
    this.stream = stream;
    this.isResponse = isResponse;
    this.pattern = pattern;
    this.window = window;
  }

  /** Returns the elements, which fail in the middle if the plan says so. */
  Source<byte[], NotUsed> source() {
    boolean breaks = stream.breaks(isResponse);
    int count = breaks ? stream.breakAt() : stream.count(isResponse);
    Source<byte[], NotUsed> elements = Source.range(0, count - 1).map(this::give);
    return breaks
        ? elements.concatLazy(Source.failed(new IllegalStateException("breaks off on purpose")))
        : elements;
  }

  private byte[] give(int number) {
    given++;
    if (given - taken > window + IN_HAND) {
      fail("stream window", given + " elements were asked for when " + taken + " were taken");
    }
    return pattern.bytes(elementId(number), plans.bytes(stream, isResponse, number));
  }

  private long elementId(int number) {
    return stream.id() << Short.SIZE | number;
  }

  /** Takes the elements that the receiver wants; stalls in the middle if the plan says so. */
  Flow<byte[], byte[], NotUsed> taking(SimNode node) {
    Flow<byte[], byte[], NotUsed> checked = Flow.<byte[]>create().map(this::take);
    return switch (stream.fate()) {
      case SLOW -> checked.mapAsync(1, element -> afterStall(node, element));
      case CALLER_CANCELS, HANDLER_CANCELS -> checked.take(stream.taken(isResponse));
      default -> checked;
    };
  }

  private byte[] take(byte[] element) {
    int number = taken++;
    boolean isRight =
        number < stream.count(isResponse)
            && element.length == plans.bytes(stream, isResponse, number)
            && pattern.matches(elementId(number), 0, element, 0, element.length);
    if (!isRight) {
      fail("stream order", "element " + number + " came as " + element.length + " B or others");
    }
    return element;
  }

  private CompletionStage<byte[]> afterStall(SimNode node, byte[] element) {
    CompletableFuture<byte[]> later = new CompletableFuture<>();
    if (taken == stream.breakAt()) {
      node.system()
          .scheduler()
          .scheduleOnce(
              Duration.ofNanos(plans.slowNs(stream)),
              () -> later.complete(element),
              node.system().executionContext());
    } else {
      later.complete(element);
    }
    return later;
  }

  /** The flow ended well at the receiver: the elements must be complete. */
  void onWhole() {
    if (stream.breaks(isResponse)) {
      fail("stream truth", "ended well, but was broken off");
    }
    if (taken != stream.taken(isResponse)) {
      fail("stream truth", "ended after " + taken + " elements");
    }
  }

  private void fail(String rule, String what) {
    run.fail(rule, stream + ", " + (isResponse ? "responses: " : "requests: ") + what);
  }
}
