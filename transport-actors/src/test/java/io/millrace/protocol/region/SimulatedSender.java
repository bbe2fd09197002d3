package io.millrace.protocol.region;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A sender of a single body; frames from and to the sender arrive in random order. */
final class SimulatedSender {
  private static final int CHUNK_BYTES = 8 * 1024;

  final RegionHolder holder;
  final TokenCache cache = new TokenCache(1024);
  final TokenDemand demand = new TokenDemand(50_000_000, 1);
  final int priority;
  long takenOutBytes;
  int requests;
  private final SimulatedReceiver receiver;
  private final Random random;
  private final TokenGrant grant = new TokenGrant();
  private final List<Runnable> arriving = new ArrayList<>();
  private final List<Runnable> leaving = new ArrayList<>();
  private int answeredId;
  private int newestAtReceiver;

  private final class Fill {
    private final WriteToken token;
    private final int number;
    private final int bytes;
    private int unsentChunks;

    Fill(WriteToken token, int bytes) {
      this.token = token;
      this.bytes = bytes;
      number = token.fill();
      for (int at = 0; at < bytes; at += CHUNK_BYTES) {
        int from = at;
        unsentChunks++;
        leaving.add(() -> write(from));
      }
      leaving.add(() -> receiver.onNotify(SimulatedSender.this, token, number, bytes));
    }

    void write(int at) {
      receiver.onChunk(SimulatedSender.this, token, number, at, Math.min(CHUNK_BYTES, bytes - at));
      unsentChunks--;
      if (unsentChunks == 0 && token.use() == this && token.state() == TokenState.IN_USE) {
        cache.onWritten(token);
      }
    }

    void writeAgain(int at, int length) {
      leaving.add(() -> receiver.onChunk(SimulatedSender.this, token, number, at, length));
    }
  }

  SimulatedSender(SimulatedReceiver receiver, Random random, int priority, long bodyBytes) {
    this.receiver = receiver;
    this.random = random;
    this.priority = priority;
    holder = receiver.pool.open(this);
    want(bodyBytes);
  }

  private void want(long bytes) {
    demand.onDesired(
        priority, bytes, (int) Math.min(demand.desiredBytes(priority) + bytes, 1 << 20));
  }

  /** Runs one arrival, if any, and one action of the sender. */
  void step() {
    if (!arriving.isEmpty()) {
      arriving.remove(random.nextInt(arriving.size())).run();
    }
    WriteToken token = null;
    if (demand.desiredBytes(priority) > 0) {
      int left = (int) Math.min(demand.desiredBytes(priority), Integer.MAX_VALUE);
      token = cache.acquire(left, receiver.nowNs, 0);
      if (token != null) {
        int bytes = Math.min(left, token.authorisedBytes());
        want(-bytes);
        token.use(new Fill(token, bytes));
      }
    }
    if (token == null && !leaving.isEmpty()) {
      leaving.remove(random.nextInt(leaving.size())).run();
    }
    ask();
  }

  private void ask() {
    demand.onUsable(cache.usableBytes());
    if (demand.isRequestDue(receiver.nowNs)) {
      requests++;
      int id = demand.nextRequestId();
      long bytes = demand.wantedBytes(priority);
      int largest = demand.largestBytes(priority);
      demand.onTold(receiver.nowNs);
      leaving.add(
          () -> {
            if (id > newestAtReceiver) {
              newestAtReceiver = id;
              receiver.pool.onDemand(holder, priority, bytes, largest);
            }
          });
    }
  }

  void tellGrant(ReceiveRegion region) {
    int index = region.index();
    int fill = region.fill();
    long key = region.key();
    int size = region.sizeBytes();
    int authorised = region.authorisedBytes();
    int id = newestAtReceiver;
    arriving.add(
        () -> {
          answeredId = Math.max(answeredId, id);
          long before = cache.usableBytes();
          cache.onGrant(grant.of(index, fill, key).with(0, size, authorised, 0), receiver.nowNs);
          demand.onAuthorised(id, (int) (cache.usableBytes() - before), receiver.nowNs);
        });
  }

  void tellExhausted(long estimateNs) {
    int id = newestAtReceiver;
    arriving.add(() -> demand.onExhausted(id, estimateNs, receiver.nowNs));
  }

  void tellConsumed(int region, int fill, long key, int next, boolean isRevoked) {
    arriving.add(
        () -> {
          WriteToken token = cache.onConsumed(region, fill, key, next, isRevoked, 0);
          if (token != null && token.state() == TokenState.GONE && token.fill() != fill) {
            writeElsewhere(token);
          } else if (token != null) {
            token.clearUse();
            int more = token.state() == TokenState.GONE ? 0 : token.authorisedBytes();
            demand.onAuthorised(demand.requestId(), more, receiver.nowNs);
          }
        });
  }

  void tellRevoked(int region, long key) {
    arriving.add(
        () -> {
          WriteToken token = cache.onRevoked(region, key);
          if (token != null) {
            writeElsewhere(token);
          }
        });
  }

  private void writeElsewhere(WriteToken token) {
    if (token.use() instanceof Fill fill) {
      token.clearUse();
      want(fill.bytes);
    }
  }

  void tellRepair(ReceiveRegion region, long records) {
    long key = region.key();
    int number = region.fill();
    int length = region.notifiedBytes();
    arriving.add(
        () -> {
          WriteToken token = null;
          for (int slot = 0; slot < 1024 && (token == null || token.key() != key); slot++) {
            token = cache.bySlot(slot);
          }
          if (token != null && token.use() instanceof Fill fill && fill.number == number) {
            for (long left = records; left != 0; left &= left - 1) {
              int at = Long.numberOfTrailingZeros(left) * ReceiveRegion.RECORD_BYTES;
              fill.writeAgain(at, Math.min(ReceiveRegion.RECORD_BYTES, length - at));
            }
          }
        });
  }

  void onNotReceived(WriteToken token, int fill, int at, int length) {
    leaving.add(() -> receiver.onChunk(this, token, fill, at, length));
  }

  void onTakenOut(int bytes) {
    takenOutBytes += bytes;
  }
}
