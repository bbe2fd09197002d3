package io.millrace.protocol.stream;

/**
 * The most that the receiver of a flow keeps for the flow.
 *
 * @param elements elements that the application has not taken
 * @param bytes bytes of these elements, beyond which no further segment may be sent
 * @param elementBytes most bytes of an element
 * @param firstBytes most bytes of the flow's first element, which may be headers
 */
public record StreamWindow(int elements, int bytes, int elementBytes, int firstBytes) {
  /** Elements that may be sent before any credit arrived; rule S-4. */
  public static final int INITIAL_ELEMENTS = 16;

  /** Bytes beyond which no segment may be sent before any credit arrived; rule S-4. */
  public static final int INITIAL_BYTES = 16 << 10;

  /** No window is smaller than the elements and bytes that may be sent without credit. */
  public StreamWindow {
    if (elements < INITIAL_ELEMENTS || bytes < INITIAL_BYTES) {
      throw new IllegalArgumentException(
          "a window of " + elements + " elements and " + bytes + " bytes is below the initial one");
    }
  }
}
