package io.millrace.path.causality;

import io.millrace.config.CausalitySettings;
import io.millrace.ends.BoundedLine;
import io.millrace.ends.Submission;
import io.millrace.ends.WorkerInbox;
import io.millrace.event.TransportEvents;
import io.millrace.protocol.causality.SlotTable;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The part of one worker in the causality map: the worker's slots, and the transfers waiting for
 * the slots' transfers. Slots are given out and read on any thread. The lists of waiting transfers
 * belong to the worker's thread, reached by other threads through the worker's inbox. Rules D-1 to
 * D-3.
 */
public final class CausalityGroup {
  private static final int RETAINED_SHARE = 4;

  /** The slots that a single transfer with a few quorums needs at once. */
  private static final int FEWEST_SLOTS = 8;

  private static final String ENDED = "the worker of a dependency has ended";

  private final int worker;
  private final long node;
  private final SlotTable slots;
  private final int retained;

  /**
   * The most slots for transfers of all peers together; only this node's own transfers get the
   * other slots.
   */
  private final int mostServed;

  private final Map<String, PeerSlots> peers = new HashMap<>();
  private int served;
  private final int initialSlots;
  private final WorkerInbox inbox;

  /** Slots for reuse, in the order in which their transfers ended. */
  private final IntArrayQueue ended = new IntArrayQueue();

  private final Int2ObjectHashMap<Entry> entries = new Int2ObjectHashMap<>();
  private final ArrayDeque<Signal> signals = new ArrayDeque<>();
  private final BoundedLine<WaitingForSlots> line;
  private int endedSinceShrink;
  private TransportEvents events = TransportEvents.NONE;
  private int waiting;
  private boolean isSignalling;
  private boolean isServing;

  /** Calls of this worker waiting for slots, here or elsewhere, with a deadline here. */
  private final Set<CausalCall> lined = new LinkedHashSet<>();

  /** The worker is gone: no transfer gets a slot any more, and no transfer waits for a slot. */
  private volatile boolean isClosed;

  /** A slot with dependents, or with a begun transfer. */
  private static final class Entry {
    final long id;
    @Nullable CausalNode node;
    @Nullable CausalEdge first;
    boolean isSent;

    Entry(long id) {
      this.id = id;
    }
  }

  private record Signal(CausalEdge edge, Kind kind, @Nullable CausalNode other, long root) {
    enum Kind {
      MET,
      FOLLOW,
      FAILED
    }

    void give() {
      CausalNode node = edge.node();
      switch (kind) {
        case MET -> node.onMet(edge);
        case FOLLOW -> {
          if (other != null) {
            node.onFollow(edge, other);
          }
        }
        case FAILED -> node.onDependencyFailed(edge, root);
      }
    }
  }

  /** A wait for slots for these tokens. */
  private record WaitingForSlots(List<SlotToken> tokens, Runnable then) {}

  /** A task for the inbox; refused after the end of the worker. */
  private record Posted(LongConsumer task, Runnable refused) implements Submission {
    private Posted(Runnable task, Runnable refused) {
      this(nowNs -> task.run(), refused);
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    public void onTaken(long nowNs) {
      task.accept(nowNs);
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      refused.run();
    }
  }

  /**
   * The group of a worker.
   *
   * @param node incarnation of the node
   * @param workers the number of workers of the node, each with an equal part of the slots
   * @param mostInLine the most transfers waiting for slots
   */
  public CausalityGroup(
      int worker,
      long node,
      int workers,
      CausalitySettings settings,
      int mostInLine,
      WorkerInbox inbox) {
    this.worker = worker;
    this.node = node;
    this.inbox = inbox;
    line = new BoundedLine<>(mostInLine);
    int most = Math.max(FEWEST_SLOTS, settings.mostSlots() / workers);
    initialSlots = Math.min(settings.initialSlots(), most);
    slots = new SlotTable(worker, initialSlots, most);
    mostServed = most / 2;
    retained = Math.min(settings.retainedOutcomes(), most / RETAINED_SHARE);
  }

  /** Sets the receiver of failures; on the worker's thread. */
  public void onStarted(TransportEvents told) {
    events = told;
  }

  /** A transfer of this group fails because another transfer has failed. */
  void onDependencyFailed(SlotToken token, long root) {
    events.onDependencyFailed(worker, SlotToken.text(token.id()), SlotToken.text(root));
  }

  /** A token beginning a chain, without a slot. */
  public SlotToken newToken() {
    return SlotToken.unbound(this, node);
  }

  /** A token without a slot, continuing the chain of {@code origin}, unless the origin is null. */
  public SlotToken newToken(@Nullable SlotToken origin) {
    return origin == null
        ? newToken()
        : SlotToken.continuing(this, node, origin.originNode(), origin.originId());
  }

  SlotToken tokenOf(long id) {
    return SlotToken.of(this, id, node);
  }

  /** Whether a token is of the same node. */
  public boolean isOfThisNode(SlotToken token) {
    return token.group().node == node;
  }

  /**
   * Gives these tokens slots and then runs {@code then}: at once, or on the worker's thread when
   * slots are free. Any thread may call this. After the end of the worker the tokens may remain
   * without slots.
   *
   * @return null, or the reason why the tokens get no slots
   */
  public @Nullable String bind(List<SlotToken> tokens, Runnable then) {
    if (isClosed || (line.size() == 0 && tryBind(tokens))) {
      // A call that came to the line meanwhile may have missed slots freed for this call.
      serveLineSoon();
      then.run();
      return null;
    }
    if (!line.join(new WaitingForSlots(tokens, then))) {
      tokens.stream()
          .filter(token -> token.id() != 0)
          .forEach(token -> post(() -> end(token, false, token.id())));
      return "more transfers wait for a slot than millrace.limits.waiting-submissions allows";
    }
    inbox.giveBack(new Posted(this::serveLine, this::endLine));
    return null;
  }

  /**
   * As {@link #bind}, for tokens of this group, behind other tokens perhaps waiting for slots
   * elsewhere.
   *
   * @param late told instead of {@code then} if a later failure prevents the slots
   */
  public @Nullable String bindAfter(
      List<SlotToken> others, List<SlotToken> tokens, Runnable then, Consumer<String> late) {
    for (SlotToken other : others) {
      if (other.id() == 0) {
        return other
            .group()
            .bind(
                List.of(other),
                () -> {
                  other.group().endIfOver(other);
                  goOn(
                      other.group(),
                      () -> {
                        String problem =
                            other.id() == 0 ? ENDED : bindAfter(others, tokens, then, late);
                        if (problem != null) {
                          late.accept(problem);
                        }
                      });
                });
      }
    }
    return bind(tokens, then);
  }

  /**
   * Runs the step on the thread of this worker, the owner of the tokens; after the worker's end, on
   * any thread.
   */
  private void goOn(CausalityGroup from, Runnable step) {
    if (from == this) {
      step.run();
    } else {
      inbox.giveBack(new Posted(step, step));
    }
  }

  /**
   * If the transfer of the token ended before the token had a slot, the dependents hear of the end
   * now.
   */
  void endIfOver(SlotToken token) {
    post(
        () -> {
          Boolean endedWell = token.endedWell();
          if (endedWell != null) {
            end(token, endedWell, endedWell ? 0 : token.id());
          }
        });
  }

  /** The slots of one peer here, over all paths of the peer. On the worker's thread. */
  public static final class PeerSlots {
    private final String peer;
    private int paths;
    private int taken;

    private PeerSlots(String peer) {
      this.peer = peer;
    }
  }

  /**
   * One more path of a peer brings transfers with possible dependents. On the worker's thread.
   *
   * @param peer the identity by which limits count the peer
   */
  public PeerSlots open(String peer) {
    PeerSlots own = peers.computeIfAbsent(peer, PeerSlots::new);
    own.paths++;
    return own;
  }

  /** A path of a peer has ended, with all transfers of the path. On the worker's thread. */
  public void close(PeerSlots own) {
    own.paths--;
    if (own.paths == 0) {
      assert own.taken == 0 : own.taken;
      peers.remove(own.peer);
    }
  }

  /**
   * Returns a slot for a transfer served by this worker, or null. A peer gets a further slot only
   * while the peer has fewer slots than are free of the slots for peers; rule D-10. On the worker's
   * thread.
   */
  public @Nullable SlotToken bindServed(PeerSlots peer, long originNode, long originId) {
    SlotToken token = SlotToken.continuing(this, node, originNode, originId);
    if (peer.taken >= mostServed - served || line.size() > 0 || !tryBind(List.of(token))) {
      return null;
    }
    peer.taken++;
    served++;
    // The request of the transfer has come.
    slots.send(token.id());
    return token;
  }

  /** A transfer with a slot of {@link #bindServed} has ended. On the worker's thread. */
  public void endServed(PeerSlots peer, SlotToken token, boolean isSuccess) {
    peer.taken--;
    served--;
    end(token, isSuccess, isSuccess ? 0 : token.id());
  }

  private boolean tryBind(List<SlotToken> tokens) {
    for (int index = 0; index < tokens.size(); index++) {
      SlotToken token = tokens.get(index);
      if (token.id() == 0) {
        long id = slots.allocate();
        if (id == 0) {
          return false;
        }
        bind(token, id);
      }
    }
    return true;
  }

  /**
   * Gives a token a slot allocated for the token. Another thread may have given the token a slot
   * meanwhile, for the sake of a dependent call. The new slot is then free again, perhaps for a
   * call in line. Any thread may call this.
   */
  void bind(SlotToken token, long id) {
    if (!token.bind(id)) {
      slots.end(id, false, id);
      slots.free(SlotTable.slot(id));
      serveLineSoon();
    }
  }

  /** Has the worker look at the line, if the line is not empty. Any thread may call this. */
  private void serveLineSoon() {
    if (line.size() > 0) {
      inbox.giveBack(new Posted(this::serveLine, this::endLine));
    }
  }

  private void serveLine() {
    if (isServing) {
      return;
    }
    isServing = true;
    try {
      WaitingForSlots first = line.peek();
      while (first != null && bound(first.tokens())) {
        line.poll();
        first.then().run();
        first = line.peek();
      }
    } finally {
      isServing = false;
    }
  }

  /**
   * Whether all these tokens have slots now; reuses the slots of retained outcomes if no others are
   * free.
   */
  private boolean bound(List<SlotToken> tokens) {
    while (!tryBind(tokens)) {
      if (ended.isEmpty()) {
        return false;
      }
      slots.free(ended.pollInt());
    }
    return true;
  }

  /** A worker has taken a transfer of its group. */
  void onBegun(CausalNode begun) {
    entry(begun.token().id()).node = begun;
  }

  private Entry entry(long id) {
    int slot = SlotTable.slot(id);
    Entry known = entries.get(slot);
    if (known == null || known.id != id) {
      known = new Entry(id);
      entries.put(slot, known);
    }
    return known;
  }

  /** Registers the edges of a transfer waiting here, on the worker's thread. */
  void register(CausalEdge[] edges) {
    Map<CausalityGroup, List<CausalEdge>> elsewhere = new LinkedHashMap<>();
    for (CausalEdge edge : edges) {
      CausalityGroup group = edge.on.group();
      if (group == this) {
        list(edge);
      } else {
        elsewhere.computeIfAbsent(group, other -> new ArrayList<>()).add(edge);
      }
    }
    elsewhere.forEach(
        (group, list) ->
            group.inbox.giveBack(
                new Posted(() -> list.forEach(group::list), () -> list.forEach(group::tell))));
    giveSignals();
  }

  /**
   * Puts an edge into the list of its transfer, so that the edge hears of the transfer. On this
   * worker's thread.
   */
  private void list(CausalEdge edge) {
    if (edge.node().isOver()) {
      return;
    }
    long id = edge.on.id();
    switch (slots.look(id)) {
      case SUCCEEDED, FAILED, EXPIRED -> tell(edge);
      case PENDING -> link(edge, entry(id));
      case REQUEST_SENT -> {
        Entry entry = entry(id);
        link(edge, entry);
        onSent(edge, entry);
      }
    }
  }

  private void link(CausalEdge edge, Entry entry) {
    edge.isListed = true;
    edge.next = entry.first;
    if (entry.first != null) {
      entry.first.previous = edge;
    }
    entry.first = edge;
  }

  private void unlink(CausalEdge edge) {
    if (!edge.isListed) {
      return;
    }
    edge.isListed = false;
    if (edge.next != null) {
      edge.next.previous = edge.previous;
    }
    if (edge.previous != null) {
      edge.previous.next = edge.next;
    } else {
      Entry entry = entries.get(SlotTable.slot(edge.on.id()));
      if (entry != null && entry.first == edge) {
        entry.first = edge.next;
        if (entry.first == null && entry.node == null) {
          entries.remove(SlotTable.slot(entry.id));
        }
      }
    }
    edge.next = null;
    edge.previous = null;
  }

  private void onSent(CausalEdge edge, Entry entry) {
    if (!edge.isForResponse) {
      if (!edge.isCascading) {
        unlink(edge);
      }
      signal(new Signal(edge, Signal.Kind.MET, null, 0));
    } else if (entry.node != null && edge.node().token().group() == this) {
      signal(new Signal(edge, Signal.Kind.FOLLOW, entry.node, 0));
    }
  }

  /** Runs a task on the worker's thread. */
  void post(Runnable task) {
    inbox.giveBack(new Posted(task, () -> {}));
  }

  /** A call of this worker waits for slots; the call hears of the wait on the worker's thread. */
  void line(CausalCall call) {
    inbox.giveBack(
        new Posted(
            nowNs -> {
              if (call.onLined(nowNs)) {
                lined.add(call);
              }
            },
            () -> {}));
  }

  /**
   * A call does not wait for slots any more. On the worker's thread, or on any thread after the
   * worker's end.
   */
  void leaveLine(CausalCall call) {
    lined.remove(call);
  }

  /** The request of a transfer is on the way. On the thread of the transfer's worker. */
  public void onSent(SlotToken sent) {
    long id = sent.id();
    slots.send(id);
    Entry entry = entries.get(SlotTable.slot(id));
    if (entry == null || entry.id != id || entry.isSent) {
      return;
    }
    entry.isSent = true;
    CausalEdge edge = last(entry.first);
    while (edge != null) {
      CausalEdge earlier = edge.previous;
      onSent(edge, entry);
      edge = earlier;
    }
    giveSignals();
  }

  /** Returns the last edge of the list: the earliest edge. */
  private static @Nullable CausalEdge last(@Nullable CausalEdge first) {
    CausalEdge edge = first;
    while (edge != null && edge.next != null) {
      edge = edge.next;
    }
    return edge;
  }

  /** A transfer has ended before the worker took the transfer; any thread. */
  void endSoon(CausalNode node, long root) {
    inbox.giveBack(
        new Posted(
            () -> onEnded(node, false, root), () -> slots.end(node.token().id(), false, root)));
  }

  /** A transfer has ended. On the worker's thread. */
  void onEnded(CausalNode node, boolean isSuccess, long root) {
    for (CausalEdge edge : node.edges()) {
      forget(edge);
    }
    end(node.token(), isSuccess, root);
  }

  private void forget(CausalEdge edge) {
    CausalityGroup group = edge.on.group();
    edge.followed = null;
    if (group == this) {
      unlink(edge);
    } else if (edge.state == CausalEdge.State.WAITING || edge.isCascading) {
      group.inbox.giveBack(new Posted(() -> group.unlink(edge), () -> {}));
    }
  }

  /** The transfer of this token has ended. On the worker's thread. */
  public void end(SlotToken token, boolean isSuccess, long root) {
    long id = token.id();
    if (id == 0) {
      token.onEndedWithoutSlot(isSuccess);
      return;
    }
    if (!slots.end(id, isSuccess, root)) {
      return;
    }
    ended.addInt(SlotTable.slot(id));
    if (ended.size() > retained) {
      slots.free(ended.pollInt());
    }
    Entry entry = entries.get(SlotTable.slot(id));
    if (entry != null && entry.id == id) {
      entries.remove(SlotTable.slot(id));
      CausalEdge edge = last(entry.first);
      while (edge != null) {
        CausalEdge earlier = edge.previous;
        edge.isListed = false;
        edge.previous = null;
        edge.next = null;
        tell(edge);
        edge = earlier;
      }
    }
    if (line.size() > 0) {
      serveLine();
    }
    shrinkIfIdle();
    giveSignals();
  }

  /**
   * Tells an edge the outcome of its transfer; an unknown outcome means that the transfer's worker
   * is gone.
   */
  private void tell(CausalEdge edge) {
    if (!edge.isCascading || slots.look(edge.on.id()) == SlotTable.Finding.SUCCEEDED) {
      signal(new Signal(edge, Signal.Kind.MET, null, 0));
    } else {
      signal(new Signal(edge, Signal.Kind.FAILED, null, slots.root(edge.on.id())));
    }
  }

  private void signal(Signal signal) {
    CausalityGroup home = signal.edge().node().token().group();
    if (home == this) {
      signals.addLast(signal);
    } else {
      home.inbox.giveBack(new Posted(() -> home.give(signal), () -> {}));
    }
  }

  private void give(Signal signal) {
    signals.addLast(signal);
    giveSignals();
  }

  /** Gives the signals in a loop, so that a chain of any length needs no stack. */
  private void giveSignals() {
    if (isSignalling) {
      return;
    }
    isSignalling = true;
    try {
      Signal next = signals.pollFirst();
      while (next != null) {
        next.give();
        next = signals.pollFirst();
      }
    } finally {
      isSignalling = false;
    }
  }

  /**
   * The worker ends with this outcome. The transfers waiting here fail with the same outcome, and
   * the dependents of the worker's transfers hear of a failure. On the worker's thread.
   */
  public void close(CallOutcome outcome, String text) {
    isClosed = true;
    List.copyOf(lined).forEach(call -> call.onWorkerEndedInLine(outcome, text));
    lined.clear();
    for (Entry entry : List.copyOf(entries.values())) {
      CausalNode waiting = entry.node;
      if (waiting != null) {
        waiting.onWorkerEnded(outcome, text);
      }
    }
    for (Entry entry : List.copyOf(entries.values())) {
      slots.end(entry.id, false, entry.id);
      CausalEdge edge = last(entry.first);
      while (edge != null) {
        CausalEdge earlier = edge.previous;
        edge.isListed = false;
        tell(edge);
        edge = earlier;
      }
    }
    entries.clear();
    endLine();
    giveSignals();
  }

  /** The transfers waiting for a slot go on to the rings, which refuse them. */
  private void endLine() {
    WaitingForSlots waiting = line.poll();
    while (waiting != null) {
      waiting.then().run();
      waiting = line.poll();
    }
  }

  /** Gives memory back after a crowd; retained outcomes keep their segments. */
  private void shrinkIfIdle() {
    endedSinceShrink++;
    int capacity = slots.capacity();
    if (slots.live() == 0
        && capacity > initialSlots + retained
        && endedSinceShrink >= capacity / 2) {
      endedSinceShrink = 0;
      slots.shrink();
    }
  }

  /**
   * The number of transfers waiting here for other transfers, or for a slot. On the worker's
   * thread.
   */
  public int waiting() {
    return waiting + line.size();
  }

  /** The count of waiting transfers changes by one, up or down. */
  void onWaiting(int more) {
    waiting += more;
    assert waiting >= 0;
  }

  /** The number of transfers with a slot. */
  public int live() {
    return slots.live();
  }
}
