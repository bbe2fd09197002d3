package io.millrace.udp;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.condition.EnabledIf;

/** The address ::1, which is missing on a few hosts. */
public final class Ipv6Loopback {
  private Ipv6Loopback() {}

  /** The test class needs ::1. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @EnabledIf(
      value = "io.millrace.udp.Ipv6Loopback#isPresent",
      disabledReason = "this host has no ::1")
  public @interface Required {}

  /** Whether this host has ::1. */
  public static boolean isPresent() {
    try {
      return NetworkInterface.getByInetAddress(anyPort().getAddress()) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /** ::1, port 0. */
  public static InetSocketAddress anyPort() {
    try {
      byte[] bytes = new byte[16];
      bytes[15] = 1;
      return new InetSocketAddress(InetAddress.getByAddress(bytes), 0);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
