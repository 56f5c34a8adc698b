; What there is, how things stand, and what all of them want.
(define (problem two-parts)
  (:domain workshop)

  (:objects
    ; Public objects: all companies know of them.
    ironworks - foundry
    finish-ltd - mill
    swift - haulier
    gear shaft - part
    north south - gate
    ; Private objects: no other company learns that they exist.
    (:private ironworks
      furnace1 - furnace)
    (:private finish-ltd
      lathe1 - machine)
    (:private swift
      truck1 - truck))

  (:init
    (own-gate ironworks north)
    (ordered ironworks gear)
    (ordered ironworks shaft)
    (door finish-ltd south)
    (idle finish-ltd lathe1)
    (parked swift truck1 south))

  ; Goals are for all. A private fact may be a goal, too: it is then the goal of its company alone.
  (:goal (and
    (finished gear)
    (finished shaft))))
