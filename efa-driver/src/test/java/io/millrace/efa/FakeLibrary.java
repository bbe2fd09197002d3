package io.millrace.efa;

import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricException;
import io.millrace.efa.ofi.FabricHints;
import io.millrace.efa.ofi.FabricInfo;
import io.millrace.efa.ofi.FabricLimits;
import io.millrace.efa.ofi.FabricVerbs;
import io.millrace.efa.ofi.LibFabric;
import io.millrace.efa.ofi.MemoryMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A fake libfabric that records all calls, and fails the calls chosen by the test. */
final class FakeLibrary implements LibFabric {
  static final FabricInfo INFO =
      new FabricInfo(
          1, "fake", "fake", 0, 0, new FabricLimits(8, 8, 1 << 16), new MemoryMode(0, 8, 8));

  final List<String> calls = new ArrayList<>();
  final FakeVerbs verbs = new FakeVerbs();

  /** The addresses handed to the library, which reads as many bytes as its own addresses have. */
  final List<byte[]> inserted = new ArrayList<>();

  /** The answer of a call instead of success, by the name of the call. */
  final Map<String, Integer> failures = new HashMap<>();

  /** The answer to a query. */
  FabricInfo answer = INFO;

  /** The answer to a query of operations that end with the bytes in the target's memory. */
  FabricInfo completingAnswer = INFO;

  private final Map<Long, String> names = new HashMap<>();
  private long nextObject = 1_000;
  private long nextAddress;

  private int call(String name) {
    calls.add(name);
    return failures.getOrDefault(name, 0);
  }

  private long open(String name) {
    int answer = call("open " + name);
    if (answer != 0) {
      return answer;
    }
    names.put(++nextObject, name);
    return nextObject;
  }

  @Override
  public int version() {
    return 1 << 16 | 18;
  }

  @Override
  public String errorText(int errno) {
    return "error " + Math.abs(errno);
  }

  @Override
  public FabricInfo query(FabricHints hints) throws FabricException {
    int failure = call("query");
    if (failure != 0) {
      throw new FabricException("fi_getinfo", -failure, errorText(failure));
    }
    return hints.transmitFlags() == 0 ? answer : completingAnswer;
  }

  @Override
  public void release(FabricInfo info) {
    calls.add("release info");
  }

  @Override
  public long openFabric(FabricInfo info) {
    return open("fabric");
  }

  @Override
  public long openDomain(long fabric, FabricInfo info) {
    return open("domain");
  }

  @Override
  public long openEventQueue(long fabric) {
    return open("eq");
  }

  @Override
  public long openAddressVector(long domain, int addresses) {
    return open("av");
  }

  @Override
  public long openCompletionQueue(long domain, int entries) {
    return open("cq");
  }

  @Override
  public long openEndpoint(long domain, FabricInfo info) {
    return open("ep");
  }

  @Override
  public int bind(long object, long to, long flags) {
    return call("bind " + names.get(object) + " " + names.get(to));
  }

  @Override
  public int deviceRetries(long endpoint, long retries) {
    return call("retries " + retries);
  }

  @Override
  public int enable(long object) {
    return call("enable " + names.get(object));
  }

  @Override
  public int close(long object) {
    return call("close " + names.get(object));
  }

  @Override
  public byte[] localAddress(long endpoint) {
    return new byte[] {1};
  }

  @Override
  public long insertAddress(long addressVector, byte[] address) {
    inserted.add(address.clone());
    return call("insert") != 0 ? -FabricErrno.FI_EINVAL : nextAddress++;
  }

  @Override
  public int removeAddress(long addressVector, long address) {
    return call("remove " + address);
  }

  @Override
  public long registerMemory(long domain, long address, long bytes, long access, long key) {
    return open("mr");
  }

  @Override
  public long remoteKey(long region) {
    return region;
  }

  @Override
  public long descriptor(long region) {
    return region;
  }

  @Override
  public FabricVerbs verbs(long endpoint, long completionQueue, long eventQueue) {
    return verbs;
  }
}
