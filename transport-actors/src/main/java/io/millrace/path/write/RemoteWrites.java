package io.millrace.path.write;

import io.millrace.buffer.TransferBuffer;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.WorkerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one-sided writes of one worker under way. Each write holds the buffer under the NIC's reads,
 * and the registration of its memory, until the driver is done with the write. A revocation of the
 * fill or the end of the path changes nothing of this. Worker's thread only; allocates only during
 * growth.
 */
final class RemoteWrites extends WorkerWrites {
  /** How long a refused post waits if no completion makes room before; doubled each time. */
  static final long RETRY_NS = 100_000;

  /** The longest of these waits. */
  static final long LONGEST_RETRY_NS = 3_200_000;

  /** A write under way. */
  private static final class Posted {
    private final int slot;
    private int generation;
    private int length;
    private @Nullable TransferBuffer buffer;
    private @Nullable WriteBatch batch;
    private SourceMemory.@Nullable Stretch source;

    private Posted(int slot) {
      this.slot = slot;
    }

    private long context() {
      return (long) generation << Integer.SIZE | slot;
    }
  }

  /** The outcome of a post. */
  enum Post {
    /** The write is under way. */
    POSTED,

    /** The driver, or the memory that may be registered at once, has no room now. */
    NO_ROOM,

    /** The system does not register the memory of the bytes now. */
    NOT_REGISTERED
  }

  private final WorkerContext worker;
  private final @Nullable SourceMemory[] sources;
  private final RemoteWrite write = new RemoteWrite();
  private final List<Posted> all = new ArrayList<>();
  private final ArrayDeque<Posted> free = new ArrayDeque<>();
  private final ArrayDeque<PathRemoteWrites> waiting = new ArrayDeque<>();
  private final ArrayDeque<PathRemoteWrites> telling = new ArrayDeque<>();
  private long wakeNs = Long.MAX_VALUE;
  private boolean isRoomMade;

  RemoteWrites(WorkerContext worker) {
    super(worker);
    this.worker = worker;
    PathNetwork network = worker.network();
    sources = new SourceMemory[network.size()];
    for (int endpoint = 0; endpoint < sources.length; endpoint++) {
      RemoteMemory remote = network.remoteMemory(endpoint);
      if (remote != null) {
        sources[endpoint] =
            new SourceMemory(
                remote, worker.bodies().buffers(), worker.bodies().settings().registration());
      }
    }
  }

  @Override
  FillCarrier open(PathPackets path, PathRemoteWrites.Owner owner, PathChunks chunks) {
    return new PathRemoteWrites(path, owner, chunks, this);
  }

  /** Whether the whole fill can be written from its buffer by this endpoint. */
  boolean canWrite(int endpoint, WriteFill fill, long nowNs) {
    SourceMemory source = sources[endpoint];
    if (source == null) {
      return false;
    }
    boolean isReady =
        source.isReady(fill.sealed().buffer(), fill.offset(), fill.lengthBytes(), nowNs);
    source.tell(worker.events(), worker.counters(), worker.worker());
    return isReady;
  }

  /** Posts the next contiguous bytes of a fill. */
  Post post(WriteBatch batch, WriteFill fill, int length, long nowNs) {
    SourceMemory source = Objects.requireNonNull(sources[batch.endpoint()]);
    TransferBuffer buffer = fill.sealed().buffer();
    int at = fill.sentBytes();
    long memoryOffset = buffer.memoryOffset(fill.offset() + at);
    SourceMemory.Stretch from = source.acquire(buffer.memoryIndex(), memoryOffset, nowNs);
    source.tell(worker.events(), worker.counters(), worker.worker());
    if (from == null) {
      return source.isReduced() ? Post.NOT_REGISTERED : Post.NO_ROOM;
    }
    write
        .source(from.region(), from.offset(memoryOffset), length)
        .target(fill.token().address() + at, fill.token().remoteKey());
    Posted posted = take();
    if (!source.remote().postWrite(batch.owner().destination(), write, posted.context())) {
      from.release();
      free.addLast(posted);
      return Post.NO_ROOM;
    }
    buffer.retain();
    posted.source = from;
    posted.buffer = buffer;
    posted.batch = batch;
    posted.length = length;
    batch.onPosted();
    worker.counters().remoteWritesPosted++;
    return Post.POSTED;
  }

  private Posted take() {
    Posted posted = free.pollLast();
    if (posted == null) {
      posted = new Posted(all.size());
      all.add(posted);
    }
    return posted;
  }

  @Override
  public void onWriteComplete(long context, int status, long nowNs) {
    Posted posted = all.get((int) context);
    WriteBatch batch = posted.batch;
    TransferBuffer buffer = posted.buffer;
    SourceMemory.Stretch from = posted.source;
    if (batch == null || buffer == null || from == null || posted.context() != context) {
      throw new IllegalStateException("a completion of no write: " + context);
    }
    int length = posted.length;
    posted.batch = null;
    posted.buffer = null;
    posted.source = null;
    posted.generation++;
    free.addLast(posted);
    from.release();
    buffer.release();
    isRoomMade = true;
    batch.owner().onWriteEnded(batch, length, status, nowNs);
  }

  /** The path goes on at the end of a write, or at {@code untilNs}. */
  void waitUntil(PathRemoteWrites path, long untilNs) {
    wakeNs = Math.min(wakeNs, untilNs);
    if (!path.startWaiting()) {
      waiting.addLast(path);
    }
  }

  /** The path has news for its peer, once all completions of this turn were seen. */
  void tellLater(PathRemoteWrites path) {
    if (telling.peekLast() != path) {
      telling.addLast(path);
    }
  }

  @Override
  public void onTurn(long nowNs) {
    PathRemoteWrites path;
    while ((path = telling.pollFirst()) != null) {
      path.tell();
    }
    if (isRoomMade || nowNs - wakeNs >= 0) {
      isRoomMade = false;
      wakeNs = Long.MAX_VALUE;
      for (int left = waiting.size(); left > 0; left--) {
        waiting.removeFirst().onRoom();
      }
    }
  }

  @Override
  public long nextDeadlineNs() {
    return wakeNs;
  }

  @Override
  public void close() {
    for (Posted posted : all) {
      TransferBuffer buffer = posted.buffer;
      if (buffer != null) {
        posted.buffer = null;
        posted.batch = null;
        buffer.release();
      }
    }
    waiting.clear();
    telling.clear();
  }
}
