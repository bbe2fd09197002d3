package io.millrace.protocol.stream;

/** Memory of a flow under test: the reserved bytes, and the limit on reserved bytes. */
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
