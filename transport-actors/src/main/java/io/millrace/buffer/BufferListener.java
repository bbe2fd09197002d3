package io.millrace.buffer;

/** Told what goes wrong around a registry. Any thread; must not block. */
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
   * Who held this buffer was collected without having released it, or holds it although everything
   * around the registry has ended.
   */
  void onLeak(BufferLeak leak);

  /** What a waiter wanted to be run failed. */
  void onWakeFailed(RuntimeException failure);
}
