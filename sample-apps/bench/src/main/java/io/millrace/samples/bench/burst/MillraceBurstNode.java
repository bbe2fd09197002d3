package io.millrace.samples.bench.burst;

import com.typesafe.config.ConfigFactory;
import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCompletion;
import io.millrace.api.WorkerSnapshot;
import io.millrace.config.TransportSettings;
import io.millrace.node.CallerLoop;
import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.agrona.DirectBuffer;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;

/**
 * Nodes of Millrace. The receiver is one node with usual settings and a thread of its own. Peers
 * share an actor system and a thread, which runs the loops of the busy peers and is their executor:
 * the measurement must not contain hundreds of idle loops. A long wait for a core, which all
 * processes have to share, must not count as silence.
 */
final class MillraceBurstNode implements BurstNode {
  private static final Route<ByteString, ByteString> ROUTE = Route.bytes("burst");

  /** Small requests with small answers, answered on the thread of arrival. */
  private static final Route<ByteString, ByteString> SMALL = Route.bytes("burst-small");

  private static final int SMALL_BYTES = 1_024;

  /** The time between two looks at the queues of all loops. */
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final TransferOptions PROBE = TransferOptions.DEFAULTS.withPriority(0);
  private static final String OF_PEERS =
      """
      millrace.workers { idle-strategy = CALLER_RUNS, receive-limit = 16, submission-depth = 1024 }
      millrace.nic.connected-sockets = 0
      millrace.transfers.buffer-pool = 1 MiB
      millrace.regions { counts = [16, 8], grant-budget = 512 KiB }
      """;

  private final List<Transport> nodes = new ArrayList<>();
  private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();

  /** For each node a number, other than 0 if the node's loop has submitted work. */
  private final AtomicIntegerArray submitted;

  private volatile boolean isClosed;

  /** A task for the executor of a node. */
  private record Task(int node, Runnable work) {}

  private MillraceBurstNode(int count) {
    submitted = new AtomicIntegerArray(count);
  }

  static MillraceBurstNode open(BurstSite site) {
    MillraceBurstNode side = new MillraceBurstNode(site.isReceiver() ? 1 : site.endpoints());
    String common =
        """
        millrace.handshake { listen = "%1$s:0", provider = psk, psk = "%2$s" }
        millrace.nic { driver = udp, address = "%1$s:0" }
        millrace.recovery { probe-period = 5 s, fail-after = 20 s }
        """
            .formatted(site.host(), "5a".repeat(32));
    if (site.isReceiver()) {
      side.add(Transport.start(TransportSettings.parse(common + site.settings())));
      return side;
    }
    TransportSettings settings = TransportSettings.parse(common + OF_PEERS + site.settings());
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "burst", ConfigFactory.load());
    for (int i = 0; i < site.endpoints(); i++) {
      int node = i;
      side.add(
          Transport.builder(settings)
              .system(system)
              .executor(work -> side.tasks.add(new Task(node, work)), 1)
              .start());
      site.opened().accept(i + 1);
    }
    Thread.ofPlatform().daemon().name("burst-loops").start(side::runLoops);
    return side;
  }

  private void add(Transport node) {
    node.serve(
        ROUTE,
        request ->
            CompletableFuture.completedFuture(
                ByteString.fromArrayUnsafe(
                    new byte[BurstCaller.answerBytes(request.toArrayUnsafe())])));
    node.serveOnWorker(
        SMALL, call -> call.reply(0, BurstCaller.answerBytes(call.buffer(), call.payloadOffset())));
    nodes.add(node);
  }

  /** Runs the loop of each node with datagrams to read, frames to send or due work. */
  private void runLoops() {
    List<CallerLoop> loops = nodes.stream().flatMap(node -> node.callerLoops().stream()).toList();
    loops.forEach(CallerLoop::runTurn);
    ReadySockets sockets =
        new ReadySockets(loops.stream().map(MillraceBurstNode::arrivals).toList());
    long[] dueNs = new long[loops.size()];
    boolean isBusy = true;
    long lookedNs = System.nanoTime();
    while (!isClosed) {
      int ready = sockets.await(isBusy || !tasks.isEmpty() ? 0 : 1);
      long nowNs = System.nanoTime();
      if (nowNs - lookedNs >= LOOK_NS) {
        // A finished handshake gives its path to the loop, and no socket tells.
        lookedNs = nowNs;
        for (int i = 0; i < dueNs.length; i++) {
          dueNs[i] = Math.min(dueNs[i], loops.get(i).nextTurnNs());
        }
      }
      for (int i = 0; i < ready; i++) {
        dueNs[sockets.owner(i)] = nowNs;
      }
      isBusy = runTasks() > 0;
      for (int i = 0; i < loops.size(); i++) {
        boolean isSubmitted = submitted.getOpaque(i) != 0 && submitted.getAndSet(i, 0) != 0;
        if (isSubmitted || dueNs[i] <= nowNs) {
          isBusy |= loops.get(i).runTurn() > 0;
          dueNs[i] = loops.get(i).nextTurnNs();
        }
      }
    }
  }

  private static int[] arrivals(CallerLoop loop) {
    int[] descriptors = loop.arrivalDescriptors();
    if (descriptors == null) {
      throw new IllegalStateException("the driver has nothing to wait for");
    }
    return descriptors;
  }

  private int runTasks() {
    int ran = 0;
    for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
      task.work().run();
      submitted.setOpaque(task.node(), 1);
      ran++;
    }
    return ran;
  }

  @Override
  public List<String> addresses() {
    return nodes.stream().map(Transport::address).toList();
  }

  @Override
  public List<BurstCaller> callers(List<String> targets, boolean isForProbes) {
    List<BurstCaller> callers = new ArrayList<>();
    for (String target : targets) {
      int node = callers.size() % nodes.size();
      Peer peer = nodes.get(node).peer(target);
      callers.add(
          (request, isProbe, ending) -> {
            call(peer, request, isProbe, ending);
            submitted.set(node, 1);
          });
    }
    return callers;
  }

  private static void call(Peer peer, byte[] request, boolean isProbe, BurstCaller.Ending ending) {
    TransferOptions options = isProbe ? PROBE : TransferOptions.DEFAULTS;
    boolean isSmall =
        request.length <= SMALL_BYTES && BurstCaller.answerBytes(request) <= SMALL_BYTES;
    peer.unaryOnWorker(
        isSmall ? SMALL : ROUTE,
        ByteString.fromArrayUnsafe(request),
        options,
        new Completion(ending));
  }

  /** The code of all nodes of a process is the same. */
  @Override
  public void warmUp(Duration limit) {
    System.err.println(nodes.getFirst().warmUp(limit).toCompletableFuture().join());
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (Transport node : nodes) {
      node.snapshot().workers().forEach(worker -> addTo(sums, worker));
    }
    return sums;
  }

  private static void addTo(Map<String, Long> sums, WorkerSnapshot worker) {
    sums.merge("frames_again", worker.transfers().framesRetransmitted(), Long::sum);
    sums.merge("chunk_bytes_again", worker.bodies().records().chunkBytesRetransmitted(), Long::sum);
    sums.merge("packets_sent", worker.packets().sent(), Long::sum);
    sums.merge("packets_lost", worker.packets().lost(), Long::sum);
    sums.merge("spurious_losses", worker.recovery().spuriousLosses(), Long::sum);
    sums.merge("probe_timeouts", worker.recovery().probeTimeouts(), Long::sum);
    sums.merge("receive_queue_drops", worker.network().receiveQueueDrops(), Long::sum);
    sums.merge("send_failures", worker.network().sendFailures(), Long::sum);
    sums.merge(SideCounters.KEYS, keysDerived(worker), Long::sum);
  }

  /** 0 if the engine is of a build that does not count the keys. */
  private static long keysDerived(WorkerSnapshot worker) {
    try {
      return worker.packets().retirements().keysDerived();
    } catch (NoSuchMethodError e) {
      return 0;
    }
  }

  /** The process ends right after: closing hundreds of nodes in good order would take long. */
  @Override
  public void close() {
    isClosed = true;
  }

  private record Completion(BurstCaller.Ending ending) implements WorkerCompletion {
    @Override
    public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
      ending.onEnd(BurstCaller.End.DONE);
    }

    @Override
    public void onFailure(CallException failure) {
      if (failure.outcome() == CallOutcome.SUBMISSION_FULL) {
        ending.onEnd(BurstCaller.End.TRY_AGAIN);
      } else {
        BurstCaller.fail(ending, String.valueOf(failure.getMessage()));
      }
    }
  }
}
