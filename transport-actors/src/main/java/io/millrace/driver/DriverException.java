package io.millrace.driver;

/** A control-plane call of a driver failed; the message is a sentence for a person. */
public class DriverException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** The reason of a failure, as far as a caller may act upon the reason. */
  public enum Kind {
    /** The system or the device has no memory for the call now; a later call may succeed. */
    OUT_OF_MEMORY("out of memory"),

    /** The process may not lock so much memory; the limit is the process's RLIMIT_MEMLOCK. */
    LOCKED_MEMORY_LIMIT("limit of locked memory"),

    /** The provider or the device does not do this at all. */
    UNSUPPORTED("not supported"),

    /** Any other reason. */
    OTHER("other");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Whether less locked memory, or a higher limit, may let the call succeed. */
    public boolean isMemory() {
      return this == OUT_OF_MEMORY || this == LOCKED_MEMORY_LIMIT;
    }

    /** The reason in a few words. */
    public String text() {
      return text;
    }
  }

  /** Creates the exception with a sentence for a person. */
  public DriverException(String message) {
    this(message, Kind.OTHER);
  }

  /** Creates the exception with a sentence for a person and the reason. */
  public DriverException(String message, Kind kind) {
    super(message);
    this.kind = kind;
  }

  /** Creates the exception with a sentence for a person and the cause of the failure. */
  public DriverException(String message, Throwable cause) {
    super(message, cause);
    kind = Kind.OTHER;
  }

  /** The reason of the failure; {@link Kind#OTHER} where the driver does not tell. */
  public Kind kind() {
    return kind;
  }
}
