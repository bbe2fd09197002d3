package io.millrace.buffer;

/** Told of faults around a registry. Any thread; must not block. */
public interface BufferListener {
  /** Does nothing. */
  BufferListener SILENT =
      new BufferListener() {
        @Override
        public void onLeak(BufferLeak leak) {}

        @Override
        public void onWakeFailed(RuntimeException failure) {}
      };

  /**
   * A holder of this buffer was collected without a release, or holds the buffer although
   * everything around the registry has ended.
   */
  void onLeak(BufferLeak leak);

  /** The wake-up task of a waiter failed. */
  void onWakeFailed(RuntimeException failure);
}
