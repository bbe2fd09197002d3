package io.millrace.buffer;

import java.util.List;
import java.util.Objects;

/** Registries and buffers with the sizes that several tests need. */
final class Buffers {
  static final int SMALL = 8 * 1024;
  static final int LARGE = 64 * 1024;
  static final int MAX = 256 * 1024;

  private Buffers() {}

  static BufferSettings settings(int small, int large) {
    return new BufferSettings(
        List.of(new BlockClass(SMALL, small), new BlockClass(LARGE, large)),
        Math.min(MAX, LARGE * large));
  }

  static BufferRegistry registry(int small, int large) {
    return new BufferRegistry(settings(small, large));
  }

  static TransferBuffer allocate(BufferRegistry registry, int sizeBytes, String owner) {
    return Objects.requireNonNull(registry.tryAllocate(sizeBytes, owner), "no memory");
  }
}
