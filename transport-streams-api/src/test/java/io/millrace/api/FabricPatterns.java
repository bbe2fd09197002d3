package io.millrace.api;

import org.junit.jupiter.api.Nested;

/** Every test of patterns, in the world whose tag the class that extends this has. */
abstract class FabricPatterns {
  @Nested
  class ActorBroadcasts extends ActorBroadcastsTest {}

  @Nested
  class ActorCancels extends ActorCancelsTest {}

  @Nested
  class ActorEnds extends ActorEndsTest {}

  @Nested
  class ActorGoneCallers extends ActorGoneCallersTest {}

  @Nested
  class ActorHeaders extends ActorHeadersTest {}

  @Nested
  class ActorLeaves extends ActorLeavesTest {}

  @Nested
  class ActorStopServing extends ActorStopServingTest {}

  @Nested
  class Actors extends ActorsTest {}

  @Nested
  class BulkHeaders extends BulkHeadersTest {}

  @Nested
  class Codecs extends CodecsTest {}

  @Nested
  class Drain extends DrainTest {}

  @Nested
  class EndedEarly extends EndedEarlyTest {}

  @Nested
  class GoneCallers extends GoneCallersTest {}

  @Nested
  class HeaderLimits extends HeaderLimitsTest {}

  @Nested
  class IdleActor extends IdleActorTest {}

  @Nested
  class LateHeaders extends LateHeadersTest {}

  @Nested
  class Ownership extends OwnershipTest {}

  @Nested
  class Patterns extends PatternsTest {}

  @Nested
  class PeerFlows extends PeerFlowsTest {}

  @Nested
  class Registration extends RegistrationTest {}

  @Nested
  class RequestAcceptor extends RequestAcceptorTest {}

  @Nested
  class UnaryFlow extends UnaryFlowTest {}

  @Nested
  class UnstartedGraph extends UnstartedGraphTest {}
}
