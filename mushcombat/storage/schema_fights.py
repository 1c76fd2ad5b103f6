"""The tables of harm, gear and fights; `schema` has what they point at."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from mushcombat.storage.schema import Base


class ConditionRow(Base):
    """How a character is, in one system: health points of harm and stun, and what the clock does.

    Times are seconds since 1970; days are days since then.
    """

    __tablename__ = "conditions"

    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    system: Mapped[str] = mapped_column(String(32), primary_key=True)
    harm: Mapped[int] = mapped_column(default=0)
    stun: Mapped[int] = mapped_column(default=0)
    dead: Mapped[bool] = mapped_column(default=False)
    stunned_until: Mapped[int | None] = mapped_column(BigInteger)
    healed_day: Mapped[int | None]  # last +heal that worked
    rested_day: Mapped[int | None]  # up to which natural healing is counted
    luck_used: Mapped[int] = mapped_column(default=0)

    __table_args__ = (Index("ix_conditions_stunned_until", "stunned_until"),)


class TreatmentRow(Base):
    """A healer's last treatment of a character that failed, in one system; days since 1970."""

    __tablename__ = "treatments"

    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    system: Mapped[str] = mapped_column(String(32), primary_key=True)
    healer_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    day: Mapped[int]


class ItemRow(Base):
    """What a character carries: weapons, armour, cards, cells. Used up is a count of 0."""

    __tablename__ = "items"

    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    system: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    count: Mapped[int] = mapped_column(default=0)
    in_use: Mapped[bool] = mapped_column(default=False)  # wielded, worn


class FightRow(Base):
    """The fight of a scene: `phase` is rolling (for the order), on, or over."""

    __tablename__ = "fights"

    scene_id: Mapped[int] = mapped_column(ForeignKey("scenes.id"), primary_key=True)
    phase: Mapped[str] = mapped_column(String(8))
    round: Mapped[int] = mapped_column(default=0)
    turn: Mapped[int | None]  # the character whose turn it is


class CombatantRow(Base):
    """Somebody in a fight; `rank` is the reaction and its rerolls, JSON; `state` the system's."""

    __tablename__ = "combatants"

    scene_id: Mapped[int] = mapped_column(ForeignKey("scenes.id"), primary_key=True)
    character_id: Mapped[int] = mapped_column(ForeignKey("characters.id"), primary_key=True)
    rank: Mapped[str] = mapped_column(String(400), default="[]")
    place: Mapped[int] = mapped_column(default=0)
    late: Mapped[bool] = mapped_column(default=False)
    state: Mapped[str] = mapped_column(Text, default="{}")


class PendingRow(Base):
    """An action under way: which stage it is at, who has to do something, until when."""

    __tablename__ = "pending"

    scene_id: Mapped[int] = mapped_column(ForeignKey("scenes.id"), primary_key=True)
    action: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    actor_id: Mapped[int]
    stage: Mapped[str] = mapped_column(String(8))
    owner_id: Mapped[int | None]  # None: the referee
    due: Mapped[int | None] = mapped_column(BigInteger)  # seconds since 1970
    state: Mapped[str] = mapped_column(Text, default="{}")

    __table_args__ = (Index("ix_pending_due", "due"),)
