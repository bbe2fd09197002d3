package io.millrace.protocol.stream;

/** Where the elements of a flow go, in order. */
@FunctionalInterface
public interface ElementSink {
  /** The next element; the array is the sink's from now on. */
  void onElement(byte[] element);
}
