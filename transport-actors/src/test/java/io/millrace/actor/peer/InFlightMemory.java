package io.millrace.actor.peer;

import io.millrace.crypto.AeadProviders;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;
import org.agrona.DirectBuffer;

/**
 * Prints what transfers in flight take on the heap, both sides together: unary calls whose requests
 * went as bodies, to a handler that never answers. A program, not a test; the arguments are how
 * many, and how many lines of the histogram of what they are made of.
 */
final class InFlightMemory {
  private static final Route NEVER = Route.of("never");
  private static final int PAYLOAD_BYTES = 10_000;
  private static final int PATHS = 2;
  private static final int WAVE = 500;
  private static final long STEP_NS = 50_000;

  private InFlightMemory() {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    int transfers = Integer.parseInt(arguments[0]);
    WorkerLab client = lab();
    WorkerLab server = lab();
    List<DeferredCall> kept = new ArrayList<>(transfers);
    server.routes.add(NEVER, call -> kept.add(call.defer()));
    List<PeerPath> paths = new ArrayList<>();
    List<PeerLink> links = new ArrayList<>();
    for (int i = 1; i <= PATHS; i++) {
      PeerLink link = client.link(i);
      links.add(link);
      paths.add(client.open(link, i, true));
      server.open(server.link(i), i, false);
    }
    byte[] payload = new byte[PAYLOAD_BYTES];
    run(client, server, paths, links, payload, kept, 2 * WAVE);
    int warm = kept.size();
    String before = histogram();
    long usedBefore = used();
    run(client, server, paths, links, payload, kept, transfers);
    long bytes = used() - usedBefore;
    System.out.printf(
        "%d transfers in flight: %d bytes each, both sides together%n",
        kept.size(), bytes / (kept.size() - warm));
    System.out.println(head(before, Integer.parseInt(arguments[1])));
    System.out.println(head(histogram(), Integer.parseInt(arguments[1])));
  }

  private static void run(
      WorkerLab client,
      WorkerLab server,
      List<PeerPath> paths,
      List<PeerLink> links,
      byte[] payload,
      List<DeferredCall> kept,
      int wanted) {
    int opened = kept.size();
    while (kept.size() < wanted) {
      while (opened < wanted && opened - kept.size() < WAVE) {
        int path = opened % PATHS;
        if (!paths.get(path).tryOpen(new Silent(links.get(path), payload))) {
          throw new IllegalStateException("no room after " + opened);
        }
        opened++;
      }
      client.turns(1, STEP_NS);
      server.endpoint.arrivals.addAll(client.endpoint.sent);
      client.endpoint.sent.clear();
      server.turns(1, STEP_NS);
      client.endpoint.arrivals.addAll(server.endpoint.sent);
      server.endpoint.sent.clear();
    }
    for (int i = 0; i < 1_000; i++) {
      client.turns(1, STEP_NS);
      server.endpoint.arrivals.addAll(client.endpoint.sent);
      client.endpoint.sent.clear();
      server.turns(1, STEP_NS);
      client.endpoint.arrivals.addAll(server.endpoint.sent);
      server.endpoint.sent.clear();
    }
    if (!client.faults.isEmpty() || !server.faults.isEmpty()) {
      throw new IllegalStateException(client.faults + " " + server.faults);
    }
  }

  private static WorkerLab lab() {
    return new WorkerLab(new FakeEndpoint(64, 16), "", AeadProviders.discover().select(0), 1_024);
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static String histogram() throws Exception {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
  }

  private static String head(String text, int lines) {
    return String.join("\n", text.lines().limit(lines).toList());
  }

  private static final class Silent extends PeerCall {
    Silent(PeerLink link, byte[] payload) {
      super(link, NEVER.id(), 3, new byte[0], payload);
    }

    @Override
    public void onResponse(
        CallOutcome outcome,
        DirectBuffer buffer,
        int headersOffset,
        int headersLength,
        int payloadOffset,
        int payloadLength) {
      throw new IllegalStateException("answered: " + outcome);
    }

    @Override
    protected void onMessage(byte[] headers, byte[] payload) {
      throw new IllegalStateException("answered");
    }

    @Override
    public void onFailure(CallOutcome outcome, String text) {
      throw new IllegalStateException(outcome + " " + text);
    }
  }
}
