package io.millrace.config;

/**
 * The treatment of a silent peer; a part of {@link RecoverySettings}.
 *
 * @param silenceNs a peer that owes an answer and is silent for so long is probed
 * @param probePeriodNs first interval between probes, half of {@code failAfterNs} at most: a peer
 *     that has failed has not answered two probes
 * @param unansweredProbes probes without an answer after which the peer has failed
 * @param openingTimeoutNs time after which unsent data for an unanswering peer fails
 * @param failAfterNs silence under probing after which the peer has failed
 * @param keepAliveNs a peer that owes nothing and is silent for so long is probed
 */
public record SilenceSettings(
    long silenceNs,
    long probePeriodNs,
    int unansweredProbes,
    long openingTimeoutNs,
    long failAfterNs,
    long keepAliveNs) {
  static SilenceSettings from(Section section) {
    long failAfterNs = section.nanos("fail-after", 1_000_000L, RecoverySettings.MAX_NS);
    long periodNs = section.nanos("probe-period", 1_000_000L, RecoverySettings.MAX_NS);
    return new SilenceSettings(
        section.nanos("silence", 1_000_000L, RecoverySettings.MAX_NS),
        Math.min(periodNs, failAfterNs / 2),
        section.integer("unanswered-probes", 1, 1_000),
        section.nanos("opening-timeout", 1_000_000L, RecoverySettings.MAX_NS),
        failAfterNs,
        section.nanos("keep-alive", 1_000_000L, RecoverySettings.MAX_NS));
  }
}
