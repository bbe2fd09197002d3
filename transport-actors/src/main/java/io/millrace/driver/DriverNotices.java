package io.millrace.driver;

import java.util.List;

/**
 * The settings that an endpoint could not honour when it was opened, one sentence each, for one
 * event each.
 *
 * @param degraded for example "SO_RCVBUF: asked for 4194304 bytes, got 425984"
 */
public record DriverNotices(List<String> degraded) {
  /** Nothing to tell. */
  public static final DriverNotices NONE = new DriverNotices(List.of());
}
