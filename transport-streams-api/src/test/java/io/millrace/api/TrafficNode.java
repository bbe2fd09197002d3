package io.millrace.api;

import io.millrace.event.RecordingEvents;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * A node of three, with constant transfers of every kind between all nodes while a fault happens to
 * one node.
 *
 * @param directory the directory of the logs
 * @param driver of the workers
 * @param failAfter {@code millrace.recovery.fail-after}
 * @param victim name of the node with the fault
 * @param plot the fault
 */
record TrafficNode(String directory, String driver, String failAfter, String victim, Plot plot)
    implements NodeProgram {
  /**
   * The longest wait of the test and the nodes for one event, s. Three young JVMs on a busy host
   * take many times longer than alone to load their classes, shake hands, and end transfers of each
   * kind.
   */
  static final int PATIENCE_S = 100;

  static final String CONNECTED = "all are connected";
  static final String EXCHANGE = "all exchange";
  static final String STOPPED = "it is stopped";
  static final String NOTICED = " has noticed";
  static final String RESUMED = "it is resumed";

  private static final int MOST_EVENTS = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_S);
  private static final Pattern FAULT =
      Pattern.compile(
          "(Peer|Completion|Worker|Handshake)Fault .*|(ProtocolViolation|RecordNotAuthentic) .*");

  /** The rejected writes that may be under way when a region is revoked. */
  private static final Pattern LATE_WRITE =
      Pattern.compile(
          "WriteRejected .* reason=(REVOKED|NOT_OWNER|WRONG_KEY|FORGED_OWNER|FORGED_KEY) .*");

  /** The faults of the victim. */
  enum Plot {
    /** The victim stands still for a short time, without being given up. */
    SHORT_STOP,
    /** The victim stands still until all other nodes have given the victim up. */
    LONG_STOP,
    /** The victim closes its transport. */
    CLOSE
  }

  /** The state shared by the parts of one node. */
  private record Parts(
      NodeHandle self,
      Transport transport,
      RecordingEvents events,
      Traffic traffic,
      Map<String, String> addresses) {
    int number(String name) {
      return self.names().indexOf(name);
    }

    /** Returns the last reported health of this node, or an empty text. */
    String health(String name) {
      String about = " peer=" + addresses.get(name) + " from=";
      List<String> lines =
          events.lines().stream()
              .filter(line -> line.startsWith("PeerHealth ") && line.contains(about))
              .toList();
      return lines.isEmpty() ? "" : lines.getLast().replaceFirst(".* to=", "");
    }

    boolean hasGivenUp(String name) {
      String about = " peer=" + addresses.get(name) + " from=PROBING to=FAILED";
      return events.lines().stream().anyMatch(line -> line.endsWith(about));
    }

    /** Waits until this number of further transfers has succeeded in each lane. */
    void exchange(List<String> names, int more) throws InterruptedException {
      for (int i = 0; i < more; i++) {
        Map<String, List<Long>> before = new TreeMap<>();
        names.forEach(name -> before.put(name, traffic.dones(number(name))));
        self.awaitUntil(
            "transfers of each kind end well",
            () ->
                before.entrySet().stream()
                    .allMatch(
                        lane -> traffic.areAllBeyond(number(lane.getKey()), lane.getValue())));
      }
    }
  }

  @Override
  public void run(NodeHandle self) throws Exception {
    RecordingEvents events = new RecordingEvents(MOST_EVENTS);
    TrafficLog log = new TrafficLog(Path.of(directory), self.names().indexOf(self.name()));
    try (Transport transport =
        Transport.builder(TwoNodes.settings(settings())).events(events).start()) {
      TrafficServer.serve(transport, log);
      self.publish("address of " + self.name(), transport.address());
      Parts parts =
          new Parts(
              self,
              transport,
              events,
              new Traffic(transport, self.names().indexOf(self.name()), log),
              new LinkedHashMap<>());
      for (String name : self.others()) {
        String address = self.await("address of " + name);
        parts.addresses.put(name, address);
        connect(self, transport.peer(address));
      }
      self.barrier(CONNECTED);
      for (String name : self.others()) {
        Peer peer = transport.peer(Objects.requireNonNull(parts.addresses.get(name)));
        parts.traffic.begin(parts.number(name), peer);
      }
      parts.exchange(self.others(), 2);
      self.barrier(EXCHANGE);
      play(parts);
    }
    Remains.awaitNoThread(self);
  }

  /** Young JVMs on a busy host may need more than one handshake. */
  private static void connect(NodeHandle self, Peer peer) throws InterruptedException {
    AtomicReference<CompletableFuture<Void>> attempt = new AtomicReference<>(peer.connect());
    self.awaitUntil(
        "a handshake with " + peer.address(),
        () -> {
          if (attempt.get().isCompletedExceptionally()) {
            attempt.set(peer.connect());
          }
          return attempt.get().state() == Future.State.SUCCESS;
        });
  }

  private String settings() {
    return """
    millrace.nic.driver = "%s"
    millrace.handshake.timeout = 1 s
    millrace.recovery { fail-after = %s, unanswered-probes = 1000 }
    millrace.regions { counts = [64, 16], idle-timeout = 500 ms }
    """
        .formatted(driver, failAfter);
  }

  private void play(Parts parts) throws Exception {
    boolean isVictim = parts.self.name().equals(victim);
    switch (plot) {
      case SHORT_STOP, LONG_STOP -> {
        if (!isVictim) {
          notice(parts);
        }
        parts.self.await(RESUMED);
        parts.exchange(parts.self.others(), 2);
        settle(parts, parts.self.names());
      }
      case CLOSE -> {
        if (isVictim) {
          close(parts);
        } else {
          goOnWithoutVictim(parts);
        }
      }
    }
  }

  /** Waits until this node has seen the expected effects of the stopped node. */
  private void notice(Parts parts) throws InterruptedException {
    NodeHandle self = parts.self;
    self.await(STOPPED);
    int gone = parts.number(victim);
    AtomicInteger open = new AtomicInteger();
    if (plot == Plot.LONG_STOP) {
      self.awaitUntil(victim + " is given up", () -> parts.hasGivenUp(victim));
    } else {
      self.awaitUntil(
          victim + " is probed while each lane to it is in the middle",
          () -> {
            open.set(parts.traffic.open(gone));
            return parts.health(victim).equals("PROBING") && parts.traffic.areAllOpen(gone);
          });
    }
    self.publish(self.name() + NOTICED, open.toString());
  }

  /** Ends the traffic; then checks that no resources of the traffic are left at these nodes. */
  private static void settle(Parts parts, List<String> parties) throws Exception {
    NodeHandle self = parts.self;
    parts.traffic.stop();
    self.awaitUntil("every transfer comes to its end", parts.traffic::isSettled);
    self.barrier("all has ended", parties, PATIENCE);
    Remains.awaitNoneOfTransfers(self, parts.transport);
    self.barrier("nothing is left", parties, PATIENCE);
    self.result(String.join("\n", unexpected(parts.events)));
  }

  /** Returns the events that report a fault. */
  private static List<String> unexpected(RecordingEvents events) {
    return events.lines().stream()
        .filter(
            line ->
                FAULT.matcher(line).matches()
                    || (line.startsWith("WriteRejected ") && !LATE_WRITE.matcher(line).matches()))
        .toList();
  }

  private void close(Parts parts) throws Exception {
    parts.transport.close();
    parts.self.awaitUntil("every transfer comes to its end", parts.traffic::isSettled);
    parts.self.result(String.join("\n", unexpected(parts.events)));
  }

  private void goOnWithoutVictim(Parts parts) throws Exception {
    NodeHandle self = parts.self;
    int gone = parts.number(victim);
    self.awaitUntil("each lane to it is told twice", () -> parts.traffic.leastFailed(gone) >= 2);
    List<String> both = self.names().stream().filter(name -> !name.equals(victim)).toList();
    List<String> other = both.stream().filter(name -> !name.equals(self.name())).toList();
    parts.exchange(other, 2);
    settle(parts, both);
  }
}
