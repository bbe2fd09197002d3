package io.millrace.efa;

import io.millrace.efa.ofi.CompletionEntries;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricVerbs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A fake provider that obeys the test and keeps all posts. */
final class FakeVerbs implements FabricVerbs {
  /** The answers to posts, by provider address; 0 by default. */
  final Map<Long, Long> answers = new HashMap<>();

  final List<Sent> sent = new ArrayList<>();
  final List<Long> receives = new ArrayList<>();
  final List<Long> writes = new ArrayList<>();
  final Deque<Done> completions = new ArrayDeque<>();
  final Deque<Failed> errors = new ArrayDeque<>();
  final Set<Long> descriptors = new HashSet<>();
  long writeAnswer;
  long writeFlags;
  long receiveAnswer;
  long queueAnswer = -FabricErrno.FI_EAGAIN;
  long errorAnswer = -FabricErrno.FI_EAGAIN;
  int events;

  /** A datagram taken by the provider. */
  record Sent(long destination, long bytes, long context) {}

  /** A completion to deliver. */
  record Done(long context, long flags, long bytes, long immediate) {}

  /** An error entry to deliver; {@code errno} as the provider writes it. */
  record Failed(long context, int errno, int providerErrno) {}

  @Override
  public long send(long address, long bytes, long descriptor, long destination, long context) {
    long answer = answers.getOrDefault(destination, 0L);
    descriptors.add(descriptor);
    if (answer == 0) {
      sent.add(new Sent(destination, bytes, context));
    }
    return answer;
  }

  @Override
  public long receive(long address, long bytes, long descriptor, long context) {
    descriptors.add(descriptor);
    if (receiveAnswer == 0) {
      receives.add(context);
    }
    return receiveAnswer;
  }

  @Override
  @SuppressWarnings("restricted") // the message lies in memory of the code under test
  public long write(long message, long flags) {
    if (writeAnswer == 0) {
      MemorySegment fields = MemorySegment.ofAddress(message).reinterpret(64);
      writes.add(fields.get(ValueLayout.JAVA_LONG, 48));
      writeFlags = flags;
      long list = fields.get(ValueLayout.JAVA_LONG, 8);
      descriptors.add(MemorySegment.ofAddress(list).reinterpret(8).get(ValueLayout.JAVA_LONG, 0));
    }
    return writeAnswer;
  }

  @Override
  @SuppressWarnings("restricted") // the entries lie in memory of the code under test
  public long readCompletions(long entries, long count) {
    if (!errors.isEmpty()) {
      return -FabricErrno.FI_EAVAIL;
    }
    int read = 0;
    while (read < count && !completions.isEmpty()) {
      Done done = completions.remove();
      MemorySegment entry =
          MemorySegment.ofAddress(entries + (long) read * CompletionEntries.ENTRY_BYTES)
              .reinterpret(CompletionEntries.ENTRY_BYTES);
      CompletionEntries.write(entry, done.context(), done.flags(), done.bytes(), done.immediate());
      read++;
    }
    return read > 0 ? read : queueAnswer;
  }

  @Override
  @SuppressWarnings("restricted") // the entry lies in memory of the code under test
  public long readCompletionError(long entry) {
    if (errors.isEmpty()) {
      return errorAnswer;
    }
    Failed failed = errors.remove();
    MemorySegment fields = MemorySegment.ofAddress(entry).reinterpret(80);
    fields.set(ValueLayout.JAVA_LONG, 0, failed.context());
    fields.set(ValueLayout.JAVA_INT, 56, failed.errno());
    fields.set(ValueLayout.JAVA_INT, 60, failed.providerErrno());
    return 1;
  }

  @Override
  public long readEvent(long buffer, long bytes) {
    return events-- > 0 ? 1 : -FabricErrno.FI_EAGAIN;
  }
}
