package io.millrace.protocol.stream;

/** Memory of a flow under test: how much is set aside, and how much may be. */
final class TestMemory implements ElementMemory {
  long mostBytes = Long.MAX_VALUE;
  long mostAssemblyBytes = Long.MAX_VALUE;
  long usedBytes;
  long assemblyBytes;

  @Override
  public boolean reserve(long bytes) {
    boolean fits = usedBytes + bytes <= mostBytes;
    usedBytes += fits ? bytes : 0;
    return fits;
  }

  @Override
  public void giveBack(long bytes) {
    usedBytes -= bytes;
  }

  @Override
  public boolean reserveAssembly(long bytes) {
    boolean fits = assemblyBytes + bytes <= mostAssemblyBytes;
    assemblyBytes += fits ? bytes : 0;
    return fits;
  }

  @Override
  public void giveBackAssembly(long bytes) {
    assemblyBytes -= bytes;
  }
}
