package io.millrace.engine;

import io.millrace.config.HoconText;
import io.millrace.config.LimitSettings;
import io.millrace.config.SettingsException;
import io.millrace.config.StreamSettings;
import io.millrace.config.TransferSettings;
import io.millrace.config.TransportSettings;
import io.millrace.ends.InlineBudget;
import io.millrace.protocol.stream.ElementMemory;

/** Checks across settings that a single setting cannot make. */
final class NodeSettingsCheck {
  private NodeSettingsCheck() {}

  /**
   * Checks settings that depend on each other.
   *
   * @throws SettingsException naming the key
   */
  static void check(TransportSettings settings) {
    if (settings.handshake().listen().getAddress().isAnyLocalAddress()
        && settings.handshake().advertised().isEmpty()) {
      throw new SettingsException(
          "millrace.handshake.advertised",
          "is empty; set it to the address by which peers call this node, for"
              + " millrace.handshake.listen is a wildcard");
    }
    if (settings.nic().address().getAddress().isAnyLocalAddress()) {
      throw new SettingsException(
          "millrace.nic.address", "is a wildcard; it must be an address that peers can reach");
    }
    checkLimits(settings.limits(), settings.nic().maxDatagramBytes());
    checkTransfers(settings.transfers());
    checkRequests(settings.limits(), settings.transfers().messageBytes());
    checkStreams(settings.streams(), settings.transfers().messageBytes());
  }

  /** A message that is alone must never lack room because of its peer's share. */
  private static void checkTransfers(TransferSettings transfers) {
    if (transfers.assemblyPerPeerBytes() < transfers.messageBytes()) {
      throw new SettingsException(
          "millrace.transfers.assembly-per-peer",
          "must be at least millrace.transfers.message = "
              + HoconText.size(transfers.messageBytes())
              + ", not "
              + HoconText.size(transfers.assemblyPerPeerBytes()));
    }
  }

  /** A request that is alone must never lack room, either. */
  private static void checkRequests(LimitSettings limits, long messageBytes) {
    long requestBytes = limits.waiting().requestBudgetBytes();
    if (requestBytes < 2 * messageBytes) {
      throw new SettingsException(
          "millrace.limits.request-budget",
          "must be at least twice millrace.transfers.message = "
              + HoconText.size(messageBytes)
              + ", not "
              + HoconText.size(requestBytes));
    }
  }

  /** A flow that is alone must never lack room. */
  private static void checkStreams(StreamSettings streams, long messageBytes) {
    long least = 2 * (messageBytes + streams.windowBytes());
    if (streams.budgetBytes() < least) {
      throw new SettingsException(
          "millrace.streams.budget",
          "must be at least "
              + HoconText.size(least)
              + " with millrace.transfers.message = "
              + HoconText.size(messageBytes)
              + " and millrace.streams.window-bytes = "
              + HoconText.size(streams.windowBytes())
              + ", not "
              + HoconText.size(streams.budgetBytes()));
    }
    long leastShare =
        messageBytes + 2L * streams.windowBytes() + ElementMemory.cost(streams.windowElements(), 0);
    if (streams.perPeerBytes() < leastShare) {
      throw new SettingsException(
          "millrace.streams.per-peer",
          "must be at least "
              + HoconText.size(leastShare)
              + " with millrace.transfers.message = "
              + HoconText.size(messageBytes)
              + ", millrace.streams.window-bytes = "
              + HoconText.size(streams.windowBytes())
              + " and millrace.streams.window = "
              + streams.windowElements()
              + ", not "
              + HoconText.size(streams.perPeerBytes()));
    }
  }

  private static void checkLimits(LimitSettings limits, int maxDatagramBytes) {
    long leastWindow = InlineBudget.leastWindowBytes(maxDatagramBytes);
    if (limits.inlineCreditBytes() < leastWindow) {
      throw new SettingsException(
          "millrace.limits.inline-credit",
          "must be at least "
              + HoconText.size(leastWindow)
              + " with millrace.nic.max-datagram = "
              + HoconText.size(maxDatagramBytes)
              + ", not "
              + HoconText.size(limits.inlineCreditBytes()));
    }
    long leastBudget = InlineBudget.leastBudgetBytes(limits.peers(), maxDatagramBytes);
    if (limits.inlineBudgetBytes() < leastBudget) {
      throw new SettingsException(
          "millrace.limits.inline-budget",
          "must be at least "
              + HoconText.size(leastBudget)
              + " for millrace.limits.peers = "
              + limits.peers()
              + " with millrace.nic.max-datagram = "
              + HoconText.size(maxDatagramBytes)
              + ", not "
              + HoconText.size(limits.inlineBudgetBytes()));
    }
  }
}
