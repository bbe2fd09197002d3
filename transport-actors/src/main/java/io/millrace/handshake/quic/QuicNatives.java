package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeAvailability;
import io.netty.handler.codec.quic.Quic;
import org.jspecify.annotations.Nullable;

/** Whether Netty's native library loads here. Any thread; the first call loads the library. */
final class QuicNatives {
  private QuicNatives() {}

  static HandshakeAvailability probe() {
    if (Quic.isAvailable()) {
      return new HandshakeAvailability.Available();
    }
    Throwable root = rootOf(Quic.unavailabilityCause());
    String detail = root == null ? "no cause given" : String.valueOf(root.getMessage());
    if (root instanceof ClassNotFoundException || root instanceof NoClassDefFoundError) {
      return new HandshakeAvailability.Unavailable(
          "a part of Netty's QUIC is not on the class path: there is no class " + detail);
    }
    return new HandshakeAvailability.Unavailable(
        "the native library of Netty's QUIC does not load on "
            + System.getProperty("os.name")
            + ' '
            + System.getProperty("os.arch")
            + " (is netty-codec-native-quic with the classifier of this platform on the class"
            + " path?): "
            + detail);
  }

  private static @Nullable Throwable rootOf(@Nullable Throwable cause) {
    Throwable root = cause;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
